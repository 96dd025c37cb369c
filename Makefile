# `make run` and `make test` are all that a newcomer needs; `make help` lists the rest.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:

VENV := .venv
BIN := $(VENV)/bin
RUST_MINIMUM := $(shell sed -n 's/^rust-version *= *"\(.*\)"/\1/p' Cargo.toml)
# Options for the study that `run` and `validate` hand on, for example ARGS="--seed 7".
ARGS ?=
# Where `run` puts its results.
OUT := out
# Counts instructions for `make bench`.
RUNNER := target/tools/bin/gungraun-runner
# Fuzzes; without sanitizers, which look for what safe code cannot do, it needs no nightly compiler.
FUZZER := target/tools/bin/cargo-fuzz
FUZZER_VERSION := 0.13.2
# Target and how many inputs `make fuzz` makes for it, from the committed ones and a fixed seed.
FUZZ_RUNS := endpoint:20000 drill_parser:10000 drill_run:10000 wire:100000
# The other simulators of `make bench-peers`, in an environment of their own.
PEERS := target/peers
NS3_VERSION := 3.44.post0
# Lets a bare `cargo` link the binding against the interpreter that the package runs on.
export PYO3_PYTHON := $(CURDIR)/$(BIN)/python
export VIRTUAL_ENV := $(CURDIR)/$(VENV)
export PIP_DISABLE_PIP_VERSION_CHECK := 1

RUST_SOURCES := Cargo.toml $(wildcard Cargo.lock) $(shell find crates -name '*.rs' -o -name Cargo.toml)

.PHONY: help
help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 28

# The report has all tables of the study; here its errors and its number of conclusions are enough.
.PHONY: run
run: install ## Install, re-run a published study, compare BBR with CUBIC, say where the reports are (half a minute)
	@echo "1 of 2: a published study, re-run: web traffic over ATM UBR+, by land (WAN) and by satellite (MEO, GEO) ..."
	@$(BIN)/ackclock reproduce ubr-web --out $(OUT)/ubr-web $(ARGS) | sed -n '/^Mean absolute error/,$${/^Tables are/!p}'
	@printf '%s\n' "" "2 of 2: what one BBR flow (foreground) gets beside one CUBIC flow, of 10 Mbit/s, by the size of the buffer ..."
	@$(BIN)/ackclock run scenarios/bbr_and_cubic.toml --out $(OUT)/bbr-and-cubic
	@$(BIN)/ackclock report $(OUT)/bbr-and-cubic --interactive --out $(OUT)/bbr-and-cubic/report.html > /dev/null
	@printf '%s\n' "" "Report of the study:   $(OUT)/ubr-web/report.html" \
	  "Report of BBR, CUBIC:  $(OUT)/bbr-and-cubic/report.html" \
	  "Picture:               $(OUT)/bbr-and-cubic/figures/share.svg" \
	  "Next, in your browser: $(BIN)/ackclock lab"

.PHONY: test
test: test-python lint test-rust test-wheel ## Install, check style, run all tests

# Only who changes the page needs node: its bundle is committed.
.PHONY: page
page: page/node_modules/.installed ## Check, test and build the page of the browser lab (needs node 18.20 or newer)
	cd page && npm run --silent check && npm run --silent test && npm run --silent build

.PHONY: check-page
check-page: page/node_modules/.installed ## Check and test the page, and that its committed bundle has the bytes of a new build
	cd page && npm run --silent check && npm run --silent test && npm run --silent build -- $(CURDIR)/target/page
	diff -r target/page python/ackclock/lab/static

page/node_modules/.installed: page/package.json page/package-lock.json
	@command -v npm >/dev/null || { \
	  echo "node is missing: install node 18.20 or newer with npm (Debian, Ubuntu: apt install nodejs npm)." >&2; exit 1; }
	cd page && npm ci --silent
	@touch $@

# Apart and the longest first, for `make --jobs 2 test`.
.PHONY: test-rust
test-rust: install ## Run the Rust tests
	cargo test --locked --workspace --exclude ackclock-py

.PHONY: test-python
test-python: install-dev ## Run the Python tests
	$(BIN)/python -m pytest --numprocesses auto --dist loadfile

# The same profile, features and interpreter as `install`, so that nothing is compiled twice.
.PHONY: wheel
wheel: install ## Build a wheel for CPython 3.11 or newer into dist/; who installs it needs no Rust
	@rm -f dist/ackclock-*.whl
	@$(BIN)/maturin build --quiet --release --locked --interpreter $(BIN)/python --out dist
	@echo "The wheel is $$(echo dist/*.whl): pip install '$$(echo dist/*.whl)[lab]'"

.PHONY: test-wheel
test-wheel: install-dev wheel ## Install the wheel into an environment without Rust, outside of the tree, and use it there
	ACKCLOCK_WHEEL=$$(echo dist/*.whl) $(BIN)/python -m pytest -q tests/python/test_wheel.py

.PHONY: docs-outputs
docs-outputs: install-dev ## Put into the pages what commands print and the lab answers now, and the figures of the tutorial
	ACKCLOCK_UPDATE=1 $(BIN)/python -m pytest -q tests/python/test_docs.py tests/python/test_scenarios.py \
	  -k "test_commands_do_what_is_shown or test_the_tutorial"
	ACKCLOCK_UPDATE=1 $(BIN)/python -m pytest -q tests/python/test_lab_security.py

.PHONY: lint
lint: install-dev ## Check the formatting and the style of Rust and Python
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets -- -D warnings
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

.PHONY: format
format: install-dev ## Format Rust and Python
	cargo fmt --all
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

.PHONY: bench
bench: install $(RUNNER) ## Measure speed and memory: instruction counts, the whole study, a campaign, flows, commands (needs valgrind)
	@command -v valgrind >/dev/null || { \
	  echo "valgrind is missing: install it to count instructions (Debian, Ubuntu: apt install valgrind)." >&2; exit 1; }
	GUNGRAUN_RUNNER=$(CURDIR)/$(RUNNER) cargo bench --locked --package ackclock-sim --bench kernel --bench queue
	GUNGRAUN_RUNNER=$(CURDIR)/$(RUNNER) cargo bench --locked --package ackclock-atm --bench ports
	GUNGRAUN_RUNNER=$(CURDIR)/$(RUNNER) cargo bench --locked --package ackclock-lab --bench connection --bench dumbbell --bench atm
	GUNGRAUN_RUNNER=$(CURDIR)/$(RUNNER) $(BIN)/python benches/probes.py
	$(BIN)/python benches/study.py
	$(BIN)/python benches/campaign.py
	$(BIN)/python benches/scale.py
	$(BIN)/python benches/arrivals.py
	$(BIN)/python benches/own_tcp.py
	$(BIN)/python benches/cluster.py
	$(BIN)/python benches/lab_server.py
	$(BIN)/python benches/commands.py

.PHONY: bench-lab
bench-lab: install-dev ## Measure what a step of a slider costs the lab's server and its page (needs chromium; 2 minutes)
	PYTHONPATH=tests/python $(BIN)/python benches/lab.py

# The runner must be of the version of the library that Cargo.lock pins.
$(RUNNER): Cargo.lock
	cargo install --quiet --locked --root target/tools gungraun-runner \
	  --version "$$(sed -n '/^name = "gungraun"$$/{n;s/version = "\(.*\)"/\1/p}' Cargo.lock)"
	@touch $@

.PHONY: fuzz
fuzz: $(FUZZER) ## Look for inputs that break the endpoint or the readers of scripts and packets, shortly
	$(FUZZER) fuzz build --fuzz-dir fuzz --sanitizer none --target-dir target/fuzz
	@rm -rf target/fuzz-inputs
	@for row in $(FUZZ_RUNS); do target=$${row%:*}; mkdir -p target/fuzz-inputs/$$target; echo "fuzz $$target"; \
	  $(FUZZER) fuzz run --fuzz-dir fuzz --sanitizer none --target-dir target/fuzz $$target \
	    target/fuzz-inputs/$$target fuzz/corpus/$$target -- -runs=$${row#*:} -seed=1 -len_control=0 -max_len=1024 \
	    -timeout=20 -verbosity=0 -print_final_stats=1; done

# How many random scenarios, and of which seed: `make fuzz-scenarios N=500 SEED=7`.
N := 5000
SEED := 1
.PHONY: fuzz-scenarios
fuzz-scenarios: install-dev ## Check that random scenarios run, or are refused with a message (N=5000, SEED=1; minutes)
	PYTHONPATH=tests/python $(BIN)/python -m random_scenarios --examples $(N) --seed $(SEED) --out out/fuzz-scenarios

.PHONY: validate-howtos
validate-howtos: install-dev ## Apply the pages docs/howto/add-a-*.md to copies, build them, run what they name (half an hour)
	ACKCLOCK_HOWTOS=1 $(BIN)/python -m pytest -q tests/python/test_howto.py

$(FUZZER): Makefile
	CARGO_PROFILE_DEV_DEBUG=false cargo install --quiet --debug --locked --root target/tools cargo-fuzz --version $(FUZZER_VERSION)
	@touch $@

# Studies whose tables docs/validation/keep.py keeps.
MODERN := bbr-share bbr-paths buffer-sizing codel bufferbloat dctcp l4s slow-start tail-loss initial-window leo fairness-rtt

.PHONY: validate
validate: install ## Re-run the studies with 30 replications and every convention's alternatives (hours)
	$(BIN)/ackclock reproduce ubr-web --replications 30 --out out/ubr-web-30 $(ARGS)
	mkdir -p docs/validation/ubr-web
	cd out/ubr-web-30 && cp results.csv comparison.csv allocation.csv main_effects.csv claims.csv \
	  $(CURDIR)/docs/validation/ubr-web
	for phase in 300 500 700 1000; do \
	  $(BIN)/ackclock reproduce ubr-web --replications 30 --set "clock.phase=uniform $$phase us" \
	    --out out/ubr-web-$$phase-us $(ARGS) || exit; done
	$(BIN)/python docs/validation/alternatives.py ubr-web "300 us=out/ubr-web-300-us" \
	  "500 us=out/ubr-web-500-us" "700 us=out/ubr-web-700-us" "1 ms=out/ubr-web-1000-us"
	$(BIN)/python docs/validation/attempts.py ubr-web
	$(BIN)/python docs/images/draw.py
	$(BIN)/ackclock reproduce ubr-web --sensitivity --replications 2 --out out/ubr-web-conventions
	cp out/ubr-web-conventions/sensitivity.csv docs/validation/ubr-web
	$(BIN)/ackclock reproduce rfc2415 --replications 30 --out out/rfc2415-30 $(ARGS)
	mkdir -p docs/validation/rfc2415
	cd out/rfc2415-30 && cp results.csv comparison.csv changes.csv half_and_half.csv claims.csv \
	  $(CURDIR)/docs/validation/rfc2415
	$(BIN)/ackclock reproduce rfc2415 --replications 30 --set tcp.historic.handshake_sample=true \
	  --out out/rfc2415-sample $(ARGS)
	$(BIN)/python docs/validation/alternatives.py rfc2415 "no sample=out/rfc2415-30" "a sample=out/rfc2415-sample"
	$(BIN)/python docs/validation/attempts.py rfc2415
	$(BIN)/ackclock reproduce rfc2415 --sensitivity --replications 2 --out out/rfc2415-conventions
	cp out/rfc2415-conventions/sensitivity.csv docs/validation/rfc2415
	$(BIN)/ackclock reproduce newreno --replications 30 --out out/newreno-30 $(ARGS)
	mkdir -p docs/validation/newreno
	cd out/newreno-30 && cp results.csv errors.csv trust.csv emulation.csv internet.csv claims.csv \
	  $(CURDIR)/docs/validation/newreno
	$(BIN)/ackclock reproduce newreno --sensitivity --replications 1 --out out/newreno-conventions
	cp out/newreno-conventions/sensitivity.csv docs/validation/newreno
	$(BIN)/ackclock reproduce abr-web --parts table2 --replications 30 --out out/abr-web-30 $(ARGS)
	$(BIN)/ackclock reproduce abr-web --parts service --servers 5 --replications 10 --out out/abr-web-services $(ARGS)
	mkdir -p docs/validation/abr-web
	cd out/abr-web-30 && cp results.csv comparison.csv claims.csv $(CURDIR)/docs/validation/abr-web
	cp out/abr-web-services/services.csv docs/validation/abr-web
	$(BIN)/ackclock reproduce abr-web --sensitivity --replications 2 --out out/abr-web-conventions
	cp out/abr-web-conventions/sensitivity.csv docs/validation/abr-web
	$(BIN)/ackclock reproduce osu-tasks --replications 30 --out out/osu-tasks-30 $(ARGS)
	mkdir -p docs/validation/osu-tasks
	cd out/osu-tasks-30 && cp *-results.csv *-allocation.csv *-effects.csv buffers-smallest.csv claims.csv \
	  $(CURDIR)/docs/validation/osu-tasks
	$(BIN)/ackclock reproduce osu-tasks --sensitivity --replications 2 --out out/osu-tasks-conventions
	cp out/osu-tasks-conventions/sensitivity.csv docs/validation/osu-tasks
	for study in $(MODERN); do \
	  $(BIN)/ackclock reproduce $$study --replications 20 --out out/$$study $(ARGS) && \
	  $(BIN)/python docs/validation/keep.py $$study out/$$study || exit; done
	$(BIN)/python docs/validation/fill.py
	cargo test --locked --release --package ackclock-lab --test interop write_the_page -- --ignored
	$(MAKE) validate-defaults
	$(MAKE) validate-queues
	[ "$$(uname)" != Linux ] || $(MAKE) validate-emulation

# How many packets a cell may take; exit code 1 says that a cell is low without a reason.
PACKETS := 2e6
.PHONY: validate-defaults
validate-defaults: install-dev ## Measure all defaults over a grid of paths, flows and flavors (PACKETS=2e6; ten minutes)
	PYTHONPATH=tests/python $(BIN)/python -m defaults_grid --packets $(PACKETS) --out docs/validation/defaults

.PHONY: validate-queues
validate-queues: install-dev ## Compare queues with what papers and RFCs say of them (a minute)
	PYTHONPATH=tests/python $(BIN)/python -m known_queues docs/validation/queues.md

# Exit code 1 says that runs are invalid: pages tell which.
.PHONY: validate-emulation
validate-emulation: install-dev ## Compare simulated TCP with this kernel's, in real time (Linux, nothing else running; two hours)
	$(BIN)/ackclock validate-kernel --jobs 2 --out out/kernel || [ $$? -eq 1 ]
	mkdir -p docs/validation/emulation docs/validation/kernel
	cp out/kernel/emulation.md out/kernel/kernel.md docs/validation
	cp out/kernel/emulation/* docs/validation/emulation
	cp out/kernel/kernel/* docs/validation/kernel
	$(BIN)/ackclock reproduce newreno --replications 30 --parts emulation --emulate --out out/newreno-kernel || [ $$? -eq 1 ]
	cd out/newreno-kernel && cp kernel.csv kernel_steps.csv kernel_runs.csv kernel.md $(CURDIR)/docs/validation/newreno
	$(BIN)/python docs/validation/fill.py
	ACKCLOCK_KILLS=50 $(BIN)/python -m pytest tests/python/test_emulation_ends.py

# Another source of Linux, already unpacked: `make virtual-time-kernel KERNEL=FOLDER`.
KERNEL ?=
.PHONY: virtual-time-kernel
virtual-time-kernel: install ## Build the kernel of `emulate --virtual-time` (15 minutes of processor time, 3 GB of disk meanwhile)
	@$(BIN)/python virtual-time/build.py $(KERNEL)

.PHONY: validate-virtual-time
validate-virtual-time: install ## Show that runs in virtual time repeat: every congestion control over 120 s, twice (needs the kernel; five minutes)
	$(BIN)/python docs/validation/virtual_time.py

.PHONY: bench-virtual-time
bench-virtual-time: install ## Measure how long runs in virtual time take (needs the kernel; a minute)
	$(BIN)/python benches/virtual_time.py

.PHONY: install
install: $(VENV)/.core ## Create .venv with the locked packages and the built core

.PHONY: install-dev
install-dev: $(VENV)/.dev-packages ## Install, and add what tests and style checks need

# One sentence for whatever is missing, before anything is written.
.PHONY: check
check:
	@command -v cargo >/dev/null && command -v rustc >/dev/null || { \
	  echo "Rust is missing: install Rust $(RUST_MINIMUM) or newer with rustup (https://rustup.rs)." >&2; exit 1; }
	@have=$$(rustc --version | cut -d' ' -f2); \
	  printf '%s\n' "$(RUST_MINIMUM)" "$$have" | sort -CV || { \
	  echo "Rust $$have is too old: install $(RUST_MINIMUM) or newer (rustup update)." >&2; exit 1; }
	@command -v cc >/dev/null || { \
	  echo "A C linker is missing: install gcc or clang (Debian, Ubuntu: apt install build-essential)." >&2; exit 1; }

# The first interpreter that is new enough and can make an environment; a name may be a shim that fails.
define FIND_PYTHON
for name in python3 python3.14 python3.13 python3.12 python3.11; do \
  if "$$name" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
    python=$$name; break; fi; done; \
[ -n "$${python:-}" ] || { \
  echo "Python is missing: install Python 3.11 or newer with its venv module (Debian, Ubuntu: apt install python3 python3-venv)." >&2; exit 1; }
endef

# pip shows on a terminal what it downloads, and in a log nothing but errors.
PIP_INSTALL = quiet=$$([ -t 1 ] || echo --quiet); $(BIN)/python -m pip install $$quiet --require-hashes

$(VENV)/.packages: requirements.lock | check
	@echo "Installing Python packages into $(VENV) (about a minute) ..."
	@$(FIND_PYTHON); "$$python" -m venv --clear $(VENV)
	@$(PIP_INSTALL) --requirement requirements.lock
	@touch $@

# maturin calls pip for packages that are there already: only cargo has something to say.
$(VENV)/.core: $(VENV)/.packages pyproject.toml $(RUST_SOURCES) | check
	@echo "Compiling the core (a few minutes the first time) ..."
	@PIP_QUIET=1 $(BIN)/maturin develop --release --locked
	@$(BIN)/python -m compileall -q python/ackclock
	@touch $@

# After the core, for two calls of pip must not change one environment at the same time.
$(VENV)/.dev-packages: requirements-dev.lock $(VENV)/.packages | $(VENV)/.core
	@echo "Installing what tests and style checks need ..."
	@$(PIP_INSTALL) --requirement requirements-dev.lock
	@touch $@

# Where they are missing, tests with them are skipped, but not where CI is set. Each is written as tool:package.
.PHONY: install-test-tools
install-test-tools: ## Install tshark, tcptrace (captures), iperf3, ip (emulations), chromium (reports, lab), node (page) (Debian, Ubuntu)
	@missing=(); for tool in tshark:tshark tcptrace:tcptrace iperf3:iperf3 ip:iproute2 chromium:chromium node:nodejs npm:npm; do \
	  command -v $${tool%:*} >/dev/null || missing+=($${tool#*:}); done; \
	if [ $${#missing[@]} -eq 0 ]; then exit 0; fi; \
	command -v apt-get >/dev/null || { \
	  echo "Missing: $${missing[*]}. There is no apt-get here: install them as your system does." >&2; exit 1; }; \
	root=(); if [ "$$(id -u)" -ne 0 ]; then root=(sudo); fi; \
	$${root[@]+"$${root[@]}"} apt-get update --quiet; \
	$${root[@]+"$${root[@]}"} env DEBIAN_FRONTEND=noninteractive \
	  apt-get install --yes --quiet --no-install-recommends "$${missing[@]}"

# Only `bench-peers` needs them. ns-3 comes as a wheel with its headers and libraries.
.PHONY: install-peers
install-peers: ## Install ns-2 (Debian, Ubuntu) and ns-3 (PyPI), and build what is run in them
	@command -v ns >/dev/null || { \
	  command -v apt-get >/dev/null || { \
	    echo "ns-2 is missing, and there is no apt-get here: install ns-2.35 as your system does, as the command ns." >&2; exit 1; }; \
	  root=(); if [ "$$(id -u)" -ne 0 ]; then root=(sudo); fi; \
	  $${root[@]+"$${root[@]}"} apt-get update --quiet; \
	  $${root[@]+"$${root[@]}"} env DEBIAN_FRONTEND=noninteractive \
	    apt-get install --yes --quiet --no-install-recommends ns2; }
	@command -v g++ >/dev/null || { \
	  echo "g++ is missing: install it (Debian, Ubuntu: apt install g++); the program for ns-3 is compiled with it." >&2; exit 1; }
	@$(MAKE) --no-print-directory $(PEERS)/rfc2415 $(PEERS)/newreno

$(PEERS)/.ns3: Makefile
	@$(FIND_PYTHON); "$$python" -m venv --clear $(PEERS)/ns3
	$(PEERS)/ns3/bin/pip install --quiet --no-deps ns3==$(NS3_VERSION)
	@touch $@

# The wheel's libraries log and assert; a program must say the same.
$(PEERS)/rfc2415 $(PEERS)/newreno: $(PEERS)/%: benches/peers/%.cc benches/peers/exchange.h $(PEERS)/.ns3
	@ns3=$$(echo $(CURDIR)/$(PEERS)/ns3/lib/python3*/site-packages/ns3); \
	g++ -std=c++20 -O2 -D__LINUX__ -DNS3_BUILD_PROFILE_RELEASE -DNS3_LOG_ENABLE -DNS3_ASSERT_ENABLE \
	  -isystem "$$ns3/include" -o $@ $< -L"$$ns3/lib64" -Wl,-rpath,"$$ns3/lib64" -Wl,-rpath-link,"$$ns3/lib64" \
	  -lns3.44-core -lns3.44-network -lns3.44-internet -lns3.44-point-to-point -lns3.44-traffic-control \
	  -lns3.44-nix-vector-routing

.PHONY: bench-peers
bench-peers: install install-peers ## Compare with ns-2 and ns-3: do they agree, and how fast are they (three quarters of an hour)
	$(BIN)/python benches/peers/speed.py
	$(BIN)/python benches/peers/newreno_speed.py
	$(BIN)/python benches/peers/agreement.py
	$(BIN)/python benches/peers/newreno_agreement.py

# The second file holds what `pytest` and the like add to the first, at versions that agree with it.
.PHONY: lock
lock: ## Resolve requirements.lock and requirements-dev.lock anew from pyproject.toml
	@$(FIND_PYTHON); tools=$$(mktemp -d); trap 'rm -rf "$$tools"' EXIT; \
	"$$python" -m venv "$$tools"; \
	"$$tools/bin/pip" install --quiet pip-tools; \
	resolve() { CUSTOM_COMPILE_COMMAND="make lock" "$$tools/bin/pip-compile" --quiet --upgrade \
	  --generate-hashes --strip-extras --allow-unsafe \
	  --no-emit-index-url --no-emit-trusted-host --no-emit-find-links "$$@"; }; \
	resolve --extra dask --extra lab --build-deps-for editable --output-file requirements.lock pyproject.toml; \
	"$$python" -c 'import tomllib; \
	  print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["dev"], sep="\n")' \
	| resolve --constraint requirements.lock --output-file requirements-dev.lock -

.PHONY: clean
clean: ## Remove what was built and installed; results in out/ stay
	rm -rf $(VENV) target dist .pytest_cache .ruff_cache .hypothesis
	rm -f python/ackclock/_core*.so
	find python tests -name __pycache__ -type d -prune -exec rm -rf {} +
