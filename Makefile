# `make` alone lists what there is.

PREFIX ?= /usr/local
DESTDIR ?=
# Where udev looks for rules, whatever PREFIX is.
UDEVDIR ?= /usr/lib/udev/rules.d

# Static, so that what is installed needs no Swift on the machine.
release := swift build -c release --static-swift-stdlib --scratch-path .build-release
built := .build-release/release
sources := Package.swift Sources Tests

.DEFAULT_GOAL := help
.PHONY: run build test demo bench install uninstall format lint golden picture clean help

run: build ## Set up, build, and open the program
	@$(built)/counter $(ARGS)

build: ## Set up and build the release
	@scripts/install-dependencies build
	@$(release) --product counter-keys
	@$(release) --product counter

test: ## Set up, build, and run every suite
	@scripts/install-dependencies test
	@scripts/run-suites $(SUITES)

demo: ## See it work on real devices, in a guest kernel where this machine has none
	@scripts/install-dependencies test
	@swift build --build-tests
	@Tests/Demo/run

bench: build ## Measure, as ratios to something measured in the same run
	@scripts/install-dependencies test
	@swift build --build-tests
	@Tests/Bench/run

install: build ## Install both programs and the udev rule (PREFIX, DESTDIR)
	@scripts/install-tree install "$(DESTDIR)" "$(PREFIX)" "$(UDEVDIR)" "$(built)"

uninstall: ## Remove what install put there; the journal stays
	@scripts/install-tree uninstall "$(DESTDIR)" "$(PREFIX)" "$(UDEVDIR)" "$(built)"

format: ## Put all Swift files into the project's style
	@swift format format --recursive --in-place $(sources)

lint: ## Check the style of Swift files and scripts
	@swift format lint --recursive --strict $(sources)
	@scripts/lint-scripts

golden: ## Draw the golden screens anew, to be looked at before they are committed
	@swift build --build-tests
	@! UPDATE_GOLDEN=1 swift test --skip-build --filter CounterTUITests >/dev/null 2>&1
	@git diff --stat -- Tests/CounterTUITests/Golden

picture: ## Draw docs/count.svg anew, from the golden screen that it shows
	@swift build --build-tests
	@! UPDATE_GOLDEN=1 swift test --skip-build --filter 'GoldenScreenTests.picture' >/dev/null 2>&1
	@git diff --stat -- docs

clean: ## Remove everything that was built
	@rm -rf .build .build-release .cache

help:
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile
