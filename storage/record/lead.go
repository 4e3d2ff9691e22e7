package record

import "github.com/dossierhq/dossier"

// Lead is the lead record (api.md, Lead; resources.md section 2).
type Lead struct {
	ID                 dossier.LeadID       `json:"id"`
	ActivitySummary    *string              `json:"activitySummary"`
	AssigneeType       dossier.AssigneeType `json:"assigneeType"`
	BusinessName       *string              `json:"businessName"`
	CreatedAt          Time                 `json:"createdAt"`
	UpdatedAt          Time                 `json:"updatedAt"`
	DeletedAt          *Time                `json:"deletedAt"`
	DidOptOut          bool                 `json:"didOptOut"`
	OptOutAt           *Time                `json:"optOutAt"`
	NotInterestedAt    *Time                `json:"notInterestedAt"`
	DecisionAt         *Time                `json:"decisionAt"`
	Email              *string              `json:"email"`
	EmailVerifiedAt    *Time                `json:"emailVerifiedAt"`
	PhoneNumber        *string              `json:"phoneNumber"`
	PhoneVerifiedAt    *Time                `json:"phoneVerifiedAt"`
	ExternalLeadID     *string              `json:"externalLeadId"`
	ExternalPortalLink *string              `json:"externalPortalLink"`
	FirstName          *string              `json:"firstName"`
	MiddleName         *string              `json:"middleName"`
	LastName           *string              `json:"lastName"`
	Source             string               `json:"source"`
	Status             dossier.LeadStatus   `json:"status"`
	Tags               []string             `json:"tags"`
	Timezone           *string              `json:"timezone"`
	Website            *string              `json:"website"`
	IsTest             bool                 `json:"isTest"`
	PortalURL          *string              `json:"portalUrl"`
}

// OfLead shapes a lead. portal is the address of its own page, nil in events: the address lets anybody in who
// holds it, and events are stored and sent in the open. An external link replaces it.
func OfLead(l dossier.Lead, portal *string) Lead {
	if l.ExternalPortalLink != nil {
		portal = l.ExternalPortalLink
	}
	tags := l.Tags
	if tags == nil {
		tags = []string{}
	}
	return Lead{
		ID: l.ID, ActivitySummary: l.ActivitySummary, AssigneeType: l.AssigneeType, BusinessName: l.BusinessName,
		CreatedAt: Time(l.CreatedAt), UpdatedAt: Time(l.UpdatedAt), DeletedAt: TimeOf(l.DeletedAt),
		DidOptOut: l.DidOptOut, OptOutAt: TimeOf(l.OptOutAt), NotInterestedAt: TimeOf(l.NotInterestedAt),
		DecisionAt: TimeOf(l.DecisionAt),
		Email:      l.Email, EmailVerifiedAt: TimeOf(l.EmailVerifiedAt), PhoneNumber: l.PhoneNumber,
		PhoneVerifiedAt: TimeOf(l.PhoneVerifiedAt),
		ExternalLeadID:  l.ExternalLeadID, ExternalPortalLink: l.ExternalPortalLink,
		FirstName: l.FirstName, MiddleName: l.MiddleName, LastName: l.LastName, Source: l.Source, Status: l.Status(),
		Tags: tags, Timezone: l.Timezone, Website: l.Website, IsTest: l.IsTest, PortalURL: portal,
	}
}
