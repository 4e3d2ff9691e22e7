package integrator

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// Import sends a table of leads and waits until all of its rows are settled.
type Import struct {
	Client  *Client
	File    string
	Archive string // empty: none
	DryRun  bool
	Report  string // file for what became of each row; empty: none
	JSON    bool
	Out     io.Writer
	Err     io.Writer // how far it is
}

// importState is an import as the service shows it.
type importState struct {
	ID      string `json:"id"`
	Status  string `json:"status"`
	DryRun  bool   `json:"dryRun"`
	Rows    int    `json:"rows"`
	Created int    `json:"created"`
	Updated int    `json:"updated"`
	Refused int    `json:"refused"`
	Errors  []struct {
		Row    int    `json:"row"`
		Column string `json:"column"`
		Code   string `json:"code"`
		Detail string `json:"detail"`
	} `json:"errors"`
	Failure *struct {
		Code   string `json:"code"`
		Detail string `json:"detail"`
	} `json:"failure"`
	Report *string `json:"report"`
}

type importAnswer struct {
	Import json.RawMessage `json:"import"`
}

// progressEvery: after so many polls, a second apart, the progress of the import is printed.
const progressEvery = 5

// shownFaults is how many refused rows are printed; the report has all.
const shownFaults = 20

// Run imports. Error: the service refused the table, or a row of it.
func (i Import) Run(ctx context.Context) error {
	raw, state, err := i.send(ctx)
	for looks := 1; err == nil && state.Status != "COMPLETE" && state.Status != "FAILED"; looks++ {
		if i.Client.pause(ctx, time.Second); ctx.Err() != nil {
			return fmt.Errorf("the import %s goes on without being waited for", state.ID)
		}
		if looks%progressEvery == 0 {
			fmt.Fprintf(i.Err, "%d rows so far, %d of them refused\n", state.Rows, state.Refused)
		}
		var answer importAnswer
		if err = i.Client.Get(ctx, "/api/v1/imports/"+state.ID, nil, &answer); err != nil && isUnavailable(err) &&
			ctx.Err() == nil {
			err = nil // it restarts, or is busy
			continue
		}
		raw, state, err = read(answer, err)
	}
	if err == nil && i.Report != "" && state.Report != nil {
		err = fetch(ctx, *state.Report, i.Report)
	}
	if err != nil {
		return err
	}
	return i.show(raw, state)
}

func read(answer importAnswer, err error) (json.RawMessage, importState, error) {
	var state importState
	if err == nil {
		err = json.Unmarshal(answer.Import, &state)
	}
	return answer.Import, state, err
}

// send streams the files as they are on disk.
func (i Import) send(ctx context.Context) (json.RawMessage, importState, error) {
	body, to := io.Pipe()
	form := multipart.NewWriter(to)
	go func() { _ = to.CloseWithError(i.write(form)) }() // never fails
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, i.Client.URL+"/api/v1/imports", body)
	if err != nil {
		return nil, importState{}, err
	}
	request.Header.Set("x-api-key", i.Client.Key)
	request.Header.Set("Content-Type", form.FormDataContentType())
	response, err := http.DefaultClient.Do(request)
	_ = body.Close() // so that the writer does not wait
	if err != nil {
		return nil, importState{}, err
	}
	defer func() { _ = response.Body.Close() }()
	data, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode >= http.StatusMultipleChoices {
		err = problemOf(response, data)
	}
	var answer importAnswer
	if err == nil {
		err = json.Unmarshal(data, &answer)
	}
	return read(answer, err)
}

func (i Import) write(form *multipart.Writer) error {
	if i.DryRun {
		if err := form.WriteField("dryRun", "true"); err != nil {
			return err
		}
	}
	for _, part := range []struct{ name, path string }{{"file", i.File}, {"archive", i.Archive}} {
		if part.path == "" {
			continue
		}
		to, err := form.CreateFormFile(part.name, filepath.Base(part.path))
		if err != nil {
			return err
		}
		file, err := os.Open(part.path)
		if err != nil {
			return err
		}
		_, err = io.Copy(to, file)
		_ = file.Close() // only read
		if err != nil {
			return err
		}
	}
	return form.Close()
}

// fetch writes what an address answers into a file.
func fetch(ctx context.Context, address, path string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the report was answered with %s", response.Status)
	}
	data, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o600)
}

func (i Import) show(raw json.RawMessage, s importState) error {
	var err error
	if i.JSON {
		_, err = fmt.Fprintf(i.Out, "%s\n", raw)
	} else {
		would := ""
		if s.DryRun {
			would = "would be "
		}
		_, err = fmt.Fprintf(i.Out, "%d rows: %d %screated, %d %supdated, %d refused\n", s.Rows, s.Created, would,
			s.Updated, would,
			s.Refused)
		for n, f := range s.Errors {
			if n == shownFaults {
				_, _ = fmt.Fprintf(i.Out, "... the report has all of them (--report FILE)\n")
				break
			}
			_, _ = fmt.Fprintf(i.Out, "row %d  %-16s %s\n", f.Row, f.Code, f.Detail)
		}
	}
	switch {
	case err != nil:
		return err
	case s.Failure != nil:
		return fmt.Errorf("the import %s failed: %s (%s)", s.ID, s.Failure.Detail, s.Failure.Code)
	case s.Refused > 0:
		return fmt.Errorf("%d of %d rows were refused", s.Refused, s.Rows)
	}
	return nil
}
