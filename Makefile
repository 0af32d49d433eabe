# `make` without a target lists the targets.

PREFIX ?= /usr/local
DESTDIR ?=
# The directory where udev looks for rules, independent of PREFIX.
UDEVDIR ?= /usr/lib/udev/rules.d
export PREFIX DESTDIR UDEVDIR

# Linked statically, so that the machine needs no Swift runtime. The C++ runtime is static too, if the compiler has it
# as an archive: the linker finds it in a directory that has nothing else. This saves 1 MB of memory in each process.
runtime := $(CURDIR)/.build-release/runtime
link-runtime = mkdir -p $(runtime) && \
	ln -sf "$$(realpath "$$(c++ -print-file-name=libstdc++.a)")" $(runtime)/libstdc++.a
# Hardening makes bugs harder to exploit: all symbols are bound at the start, and the symbol table is then read-only;
# C and C++ code has stack protection. Swift builds position-independent code by default and is memory safe.
hardened := -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now \
	-Xcc -fstack-protector-strong -Xcxx -fstack-protector-strong -Xcxx -D_FORTIFY_SOURCE=2
# Swift exports every symbol for backtraces, and what is exported is linked though nobody calls it. Nobody looks a symbol up
# in the installed programs, which are stripped.
# With a section for each function the linker leaves out those that nobody calls.
small := -Xlinker --no-export-dynamic -Xswiftc -Xfrontend -Xswiftc -function-sections
# GNU ld instead of Swift's default, gold, which has no packed relocations: those take 1 MB less. They need glibc 2.36.
linker := -Xswiftc -use-ld=bfd -Xlinker -T -Xlinker $(CURDIR)/scripts/read-only.ld \
	$(if $(shell grep -aos GLIBC_ABI_DT_RELR "$$(c++ -print-file-name=libc.so.6)"),-Xlinker -z -Xlinker pack-relative-relocs)
# The same programs whatever this folder is called: without its path, and without build ids, which depend on the paths in what
# debuggers read.
anywhere := -Xcc -ffile-prefix-map=$(CURDIR)=. -Xcxx -ffile-prefix-map=$(CURDIR)=. -Xlinker --build-id=none
release := swift build -c release --static-swift-stdlib -Xlinker -L$(runtime) $(hardened) $(small) $(linker) $(anywhere) \
	--scratch-path .build-release
built := .build-release/release
# What was built with the hub stays so: without it, the package manager would remove what it has fetched and compiled.
export COUNTER_HUB := $(if $(wildcard .build-release/checkouts/swift-nio),1,$(COUNTER_HUB))
sources := Package.swift Sources Tests
run-tests = $$(scripts/build-tests)/counterPackageTests.xctest --testing-library swift-testing --filter

.DEFAULT_GOAL := help
.PHONY: run run-hub build build-hub test soak chaos test-page test-outside test-install test-releases test-network reproduce asan tsan demo bench install uninstall deb deb-hub format lint lint-package golden picture clean help

run: build ## Install what is missing, build, and open the program
	@$(built)/counter $(ARGS)

run-hub: build-hub ## The same with the hub; ARGS="token add door-1 --device --location Hall"
	@$(built)/counter-hub $(ARGS)

build-hub: ## Install what is missing, and build the hub; its network library takes minutes
	@scripts/install-dependencies build
	@$(link-runtime)
	@COUNTER_HUB=1 $(release) --product counter-hub

build: ## Install what is missing, and build the release
	@scripts/install-dependencies build
	@$(link-runtime)
	@$(release) --product counter-keys
	@$(release) --product counter-ringer
	@$(release) --product counter
	@$(release) --product counter-practice
	@$(release) --product counter-sync
	@$(release) --product counter-sync-hub
	@$(release) --product counter-manual

test: ## Install what is missing, build, and run every test suite
	@scripts/install-dependencies test
	@scripts/run-suites $(SUITES)

soak: ## Run every suite with all cases, not a sample; before releases
	@scripts/install-dependencies test
	@COUNTER_TEST_VOLUME=full scripts/run-suites $(SUITES)

chaos: ## A thousand doors for five minutes, while hubs, databases, a broker and the network fail at random
	@scripts/install-dependencies test
	@COUNTER_HUB=1 scripts/build-tests >/dev/null
	@Tests/Chaos/run .build/release

test-page: ## Look at the hub's web page in a real Chromium, which is installed
	@COUNTER_HUB=1 scripts/build-tests >/dev/null
	@Tests/Page/run

test-outside: ## Run the tests, clients and proxies of others against the hub, which are installed; takes minutes
	@COUNTER_HUB=1 scripts/build-tests >/dev/null
	@Tests/Outside/run

test-install: deb deb-hub ## Test the Debian packages in a virtual machine; takes minutes
	@scripts/install-dependencies install-test
	@Tests/Install/run .build-release/counter_*.deb .build-release/counter-hub_*.deb

test-releases: deb ## Install and use the package on several Debian releases, in folders
	@scripts/install-dependencies install-test
	@Tests/Install/releases .build-release/counter_*.deb

test-network: build ## Two machines in a virtual one, with a cable that is cut and bad; takes minutes
	@scripts/install-dependencies network-test
	@Tests/Network/run $(built)

reproduce: deb ## Build the package once more elsewhere, and compare byte for byte
	@scripts/reproduce .build-release/counter_*.deb

asan: ## Run suites that need no device with the address sanitizer
	@scripts/install-dependencies test
	@SANITIZE=address scripts/run-suites model store screens

tsan: ## Run suites that need no device with the thread sanitizer
	@scripts/install-dependencies test
	@SANITIZE=thread scripts/run-suites model store screens

demo: ## Show it with real key devices, in a virtual machine if needed
	@scripts/install-dependencies test
	@scripts/build-tests >/dev/null
	@Tests/Demo/run

bench: build ## Measure speed and size beside well-known programs
	@scripts/install-dependencies test
	@$(release) --product counter-bench
	@Tests/Bench/run

install: build ## Install the programs and their files, with sudo (PREFIX, DESTDIR)
	@scripts/install-tree install $(built)

uninstall: ## Remove what `make install` installed; the journal stays
	@scripts/install-tree uninstall

deb: build ## Make a package for Debian and Ubuntu
	@scripts/install-dependencies package
	@scripts/build-deb $(built)

deb-hub: build build-hub ## The same of the hub, and check it
	@scripts/install-dependencies package
	@scripts/lint-package "$$(scripts/build-deb $(built) counter-hub)"

format: ## Format all Swift files
	@swift format format --recursive --in-place $(sources)

lint: ## Check Swift files, the use of folders, scripts and systemd units
	@swift format lint --recursive --strict $(sources)
	@! command -v python3 >/dev/null || scripts/lint-folders
	@scripts/lint-identifiers
	@scripts/lint-size
	@scripts/lint-scripts
	@! command -v systemd-analyze >/dev/null || scripts/lint-units

lint-package: deb ## Make the package, and check it and all its files
	@scripts/lint-package .build-release/counter_*.deb

golden: ## Draw the golden screens again; look at the difference in git
	@! UPDATE_GOLDEN=1 $(run-tests) 'CounterTUITests|PracticeTests' >/dev/null
	@git diff --stat -- Tests/CounterTUITests/Golden Tests/PracticeTests/Screens/Golden

picture: ## Draw the pictures in docs again
	@! UPDATE_GOLDEN=1 $(run-tests) 'GoldenScreenTests.picture|PracticeTests.GoldenTests.picture|PracticeTests.DifficultyPictureTests' >/dev/null
	@git diff --stat -- docs

clean: ## Remove everything that was built
	@rm -rf .build .build-* .cache

help:
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile
