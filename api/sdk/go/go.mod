module github.com/dossierhq/dossier/api/sdk/go

go 1.24
