// A client generated from the OpenAPI document goes the demonstration's way: a lead, an item that wants a statement,
// the statement (the file named by the argument), its facts by polling, and the item's state.
package main

import (
	"bytes"
	"context"
	"fmt"
	"mime/multipart"
	"net/http"
	"os"
	"time"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	if err := run(ctx, os.Getenv("DOSSIER_URL"), os.Getenv("DOSSIER_API_KEY"), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, url, key, path string) error {
	client, err := NewClientWithResponses(url, WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("x-api-key", key)
		return nil
	}))
	if err != nil {
		return err
	}
	business, once := "Example Bakery LLC", "generated client"
	made, err := client.CreateLeadWithResponse(ctx, &CreateLeadParams{IdempotencyKey: &once}, CreateLeadBody{BusinessName: &business})
	if err != nil || made.JSON201 == nil {
		return fmt.Errorf("create lead: %v %s", err, made.Body)
	}
	lead := made.JSON201.Lead.Id
	var config any = map[string]int{"months": 1, "gracePeriodDays": 3650}
	item, err := client.CreateLeadItemWithResponse(ctx, lead, nil, NewItemBody{Label: "Statement", FieldType: BANKSTATEMENT, Config: &config})
	if err != nil || item.JSON201 == nil {
		return fmt.Errorf("create item: %v %s", err, item.Body)
	}
	document, err := upload(ctx, client, lead, path)
	if err != nil {
		return err
	}
	if err := extract(ctx, client, document); err != nil {
		return err
	}
	return await(ctx, client, lead, item.JSON201.ChecklistItem.Id)
}

func upload(ctx context.Context, client *ClientWithResponses, lead Id, path string) (Id, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return Id{}, err
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	_ = form.WriteField("leadId", lead.String())
	part, _ := form.CreateFormFile("files", "statement.pdf")
	_, _ = part.Write(data)
	_ = form.Close()
	sent, err := client.CreateDocumentsWithBodyWithResponse(ctx, nil, form.FormDataContentType(), &body)
	if err != nil || sent.JSON201 == nil {
		return Id{}, fmt.Errorf("upload: %v %s", err, sent.Body)
	}
	return sent.JSON201.Documents[0].Id, nil
}

func extract(ctx context.Context, client *ClientWithResponses, document Id) error {
	started, err := client.StartPipelineWithResponse(ctx, "extract-document", nil, PipelineBody{DocumentId: &document})
	if err != nil || started.JSON202 == nil {
		return fmt.Errorf("start pipeline: %v %s", err, started.Body)
	}
	wait := 20
	for {
		polled, err := client.PollPipelineWithResponse(ctx, "extract-document", &PollPipelineParams{JobId: started.JSON202.JobId, Wait: &wait})
		switch {
		case err != nil || polled.JSON200 == nil:
			return fmt.Errorf("poll: %v %s", err, polled.Body)
		case polled.JSON200.Status == "COMPLETE":
			return nil
		case polled.JSON200.Status == "ERROR":
			return fmt.Errorf("the pipeline failed: %s", polled.Body)
		}
	}
}

// await polls the checklist until the item is COMPLETED.
func await(ctx context.Context, client *ClientWithResponses, lead, item Id) error {
	for {
		read, err := client.ReadChecklistWithResponse(ctx, lead, nil)
		if err != nil || read.JSON200 == nil {
			return fmt.Errorf("checklist: %v %s", err, read.Body)
		}
		for _, group := range *read.JSON200 {
			for _, entry := range group.Items {
				if entry.Id == item && entry.Status == ItemStatusCOMPLETED {
					fmt.Println("item COMPLETED with", (*entry.Documents)[0].Filename)
					return nil
				}
			}
		}
		time.Sleep(300 * time.Millisecond)
	}
}
