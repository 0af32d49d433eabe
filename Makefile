# `make` without a target lists the targets.

PREFIX ?= /usr/local
DESTDIR ?=
# The directory where udev looks for rules, independent of PREFIX.
UDEVDIR ?= /usr/lib/udev/rules.d
export PREFIX DESTDIR UDEVDIR

# Linked statically, so that the installed programs need no Swift on the machine. The C++ runtime is static too, where the
# compiler has it as an archive: the linker finds it in a directory that contains nothing else. This saves 1 MB of memory
# in each process.
runtime := $(CURDIR)/.build-release/runtime
# Hardening limits what a bug can be exploited for: all symbols are bound at the start and the symbol table is then
# read-only; C and C++ code has stack protection. Swift already builds position-independent code and is memory safe.
hardened := -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now \
	-Xcc -fstack-protector-strong -Xcxx -fstack-protector-strong -Xcxx -D_FORTIFY_SOURCE=2
# Swift exports every symbol for backtraces, and what is exported is linked though nobody calls it. Nobody looks a symbol up
# in the installed programs, which are stripped.
small := -Xlinker --no-export-dynamic
release := swift build -c release --static-swift-stdlib -Xlinker -L$(runtime) $(hardened) $(small) --scratch-path .build-release
built := .build-release/release
sources := Package.swift Sources Tests
run-tests = $$(scripts/build-tests)/counterPackageTests.xctest --testing-library swift-testing --filter

.DEFAULT_GOAL := help
.PHONY: run build test soak test-install asan tsan demo bench install uninstall deb format lint lint-package golden picture clean help

run: build ## Set up, build, and open the program
	@$(built)/counter $(ARGS)

build: ## Set up and build the release
	@scripts/install-dependencies build
	@mkdir -p $(runtime)
	@ln -sf "$$(realpath "$$(c++ -print-file-name=libstdc++.a)")" $(runtime)/libstdc++.a
	@$(release) --product counter-keys
	@$(release) --product counter
	@$(release) --product counter-manual

test: ## Set up, build, and run every suite
	@scripts/install-dependencies test
	@scripts/run-suites $(SUITES)

soak: ## The same, and each test does all that it can instead of a sample; before a release
	@scripts/install-dependencies test
	@COUNTER_TEST_VOLUME=full scripts/run-suites $(SUITES)

test-install: deb ## Make the package, install it on a Debian in the guest, and look at all it does there; minutes
	@scripts/install-dependencies install-test
	@Tests/Install/run .build-release/counter_*.deb

asan: ## Run the suites that need no device with the address sanitizer
	@scripts/install-dependencies test
	@SANITIZE=address scripts/run-suites model store screens

tsan: ## The same with the thread sanitizer
	@scripts/install-dependencies test
	@SANITIZE=thread scripts/run-suites model store screens

demo: ## See it work on real devices, in a guest kernel where this machine has none
	@scripts/install-dependencies test
	@scripts/build-tests >/dev/null
	@Tests/Demo/run

bench: build ## Measure, as ratios to something measured in the same run
	@scripts/install-dependencies test
	@$(release) --product counter-bench
	@Tests/Bench/run

install: build ## Install the programs and all that belongs to them, by sudo (PREFIX, DESTDIR)
	@scripts/install-tree install $(built)

uninstall: ## Remove what install put there; the journal stays
	@scripts/install-tree uninstall

deb: build ## Make a package for Debian and Ubuntu
	@scripts/install-dependencies package
	@scripts/build-deb $(built)

format: ## Put all Swift files into the project's style
	@swift format format --recursive --in-place $(sources)

lint: ## Check the style of Swift files and scripts, and the units
	@swift format lint --recursive --strict $(sources)
	@scripts/lint-scripts
	@! command -v systemd-analyze >/dev/null || scripts/lint-units

lint-package: deb ## Make the package, and check it and each file in it as its readers do
	@scripts/lint-package .build-release/counter_*.deb

golden: ## Draw the golden screens anew, to be looked at before they are committed
	@! UPDATE_GOLDEN=1 $(run-tests) CounterTUITests >/dev/null
	@git diff --stat -- Tests/CounterTUITests/Golden

picture: ## Draw the pictures in docs anew, from the golden screens that they show
	@! UPDATE_GOLDEN=1 $(run-tests) GoldenScreenTests.picture >/dev/null
	@git diff --stat -- docs

clean: ## Remove everything that was built
	@rm -rf .build .build-* .cache

help:
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile
