# make demo    one document's journey, from an empty machine to a signed webhook
# make check   everything that can be checked; ends with "N passed, N failed"
#
# What takes more than a line is Go, in cmd/internal/tasks: it runs wherever the product does.

TASKS := go run ./cmd/internal/tasks
BUILDING := echo "Building Dossier: some minutes the first time, seconds from then on"

.PHONY: demo dev check first-event clients faults before fuzz alerts sbom setup services services-stop clean

# DOCUMENT=path uses that file; ONCE=1 ends after the journey instead of staying up; MODEL=scripted has a language model
# read along that knows one statement (MODEL=scripted:lying: one that lies about it).
demo: setup
	@$(BUILDING)
	@go run ./cmd/dev demo $(if $(ONCE),--once) $(if $(MODEL),--model "$(MODEL)") $(if $(DOCUMENT),--document "$(DOCUMENT)")

# The same stack without the journey. FLAGS: --addr, --data, --empty, --seed N.
dev: setup
	@$(BUILDING)
	@go run ./cmd/dev $(FLAGS)

# Installs what is missing (PostgreSQL, Tesseract, Poppler) with apt-get; nothing when all is there.
setup:
	@$(TASKS) setup

check:
	@$(TASKS) check

# While `make demo` runs in another shell: from README.md to the first verified event, in three languages, by the clock.
first-event:
	@$(TASKS) first-event

# The clients in api/sdk, from the operations and types of package api.
clients:
	@go test ./api -run 'TestOpenAPI_clients' -count=1 -update

# What can go wrong, then at length, and then an hour of deliveries: about two hours. SOAK=10m delivers for less, SOAK=0
# leaves out what takes long. Ends with a table: each fault, the alerts that fired, when they cleared, what was lost.
faults:
	@$(TASKS) faults $(SOAK)

# The release before, a tag or a commit: its programs make 200 leads and deliveries a second while the schema of this
# checkout comes up under them, then its tests of the store and the worker run on that schema. ONLY=load: no tests.
before:
	@$(TASKS) before $(RELEASE) $(ONLY)

# Every fuzz target for a minute. ONLY="MRZ Money": those whose names match.
fuzz:
	@$(TASKS) fuzz $(ONLY)

# Plays the examples of every alert in Prometheus' own engine; promtool comes with the package prometheus.
alerts:
	promtool check rules deploy/prometheus/rules.yaml
	promtool test rules deploy/prometheus/rules_test.yaml

# What the product is made of, in CycloneDX: dossier.cdx.json.
sbom:
	go run github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0 mod -json -output dossier.cdx.json

# Real PostgreSQL, Redis and MinIO on loopback, for tests: . .data/services/services.env
services:
	@$(TASKS) services

services-stop:
	@$(TASKS) services-stop

# Stops what tests and services left running. The data of `make dev`, .data, stays.
clean:
	@$(TASKS) clean
