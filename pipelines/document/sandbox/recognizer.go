package sandbox

import (
	"os"
	"path/filepath"

	"github.com/dossierhq/dossier/pipelines/document/decode"
)

// FindRecognizer looks for dossier-ocr beside this program, on PATH and where `make setup` puts it, and for onnxruntime
// beside it and among the system's libraries. Without both it is Missing.
func FindRecognizer() decode.Recognizer {
	var places []string
	if self, err := os.Executable(); err == nil {
		places = append(places, filepath.Join(filepath.Dir(self), recognizerName))
	}
	if found := Find(recognizerName); found != "" {
		places = append(places, found)
	}
	if dir, err := RecognizerDir(); err == nil {
		places = append(places, filepath.Join(dir, recognizerName))
	}
	for _, program := range places {
		if info, err := os.Stat(program); err != nil || info.IsDir() {
			continue
		}
		if library := FindRuntime(filepath.Dir(program)); library != "" {
			return decode.Recognizer{Program: program, Library: library}
		}
	}
	return decode.Recognizer{Missing: true}
}

const recognizerName = "dossier-ocr"

// RecognizerDir is where `make setup` puts dossier-ocr and its library: in this user's cache.
func RecognizerDir() (string, error) {
	home, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(home, "dossier", "ocr"), nil
}

// FindRuntime is the path of onnxruntime in a directory or among the system's libraries, "" when there is none.
func FindRuntime(dir string) string {
	for _, pattern := range []string{
		filepath.Join(dir, "libonnxruntime.so*"), "/usr/local/lib/libonnxruntime.so*",
		"/usr/lib/*/libonnxruntime.so*", "/usr/lib/libonnxruntime.so*", "/usr/lib64/libonnxruntime.so*",
	} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			continue
		}
		if path, err := filepath.EvalSymlinks(found[0]); err == nil {
			return path
		}
	}
	return ""
}
