// Package chart writes what of the Helm chart (deploy/helm/dossier) follows from tables of the programs: the schema of
// its values, its list of lanes, its copies of alerts and dashboards. Its test (-update) writes them, and the plain
// manifests of deploy/kubernetes, which are the chart's small profile; then it holds the chart to Helm, to its own
// suites (deploy/helm/dossier/tests), to the schemas of Kubernetes and to a model of how KEDA scales.
package chart
