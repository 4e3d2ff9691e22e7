// Package deploy has no code: its folder holds what Dossier is run with, and its tests hold that against the program.
package deploy
