// Package sizing says how much machine a number of documents a month wants, from what each thing was measured to cost.
package sizing

import (
	"math"
)

// Spent is processor time in microseconds, by who spends it. Worker contains the parsers that it starts.
type Spent struct {
	API      float64 `json:"api"`
	Worker   float64 `json:"worker"`
	Postgres float64 `json:"postgres"`
	Redis    float64 `json:"redis"`
	Storage  float64 `json:"storage"` // the S3 server of the measurement
}

func (s Spent) plus(o Spent, times float64) Spent {
	return Spent{s.API + o.API*times, s.Worker + o.Worker*times, s.Postgres + o.Postgres*times, s.Redis + o.Redis*times,
		s.Storage + o.Storage*times}
}

// Unit is what one of a kind costs, beside what processes cost that have nothing to do.
type Unit struct {
	Name     string  `json:"name"`
	Offered  float64 `json:"offeredPerSecond"`
	Done     int     `json:"done"`
	CPU      Spent   `json:"cpuMicroseconds"`
	Database float64 `json:"databaseBytes"` // that the database grew by
	WAL      float64 `json:"walBytes"`
	Objects  float64 `json:"objectBytes"`
}

// The units of a measurement, by name.
const (
	LeadCreated = "lead created"
	LeadUpdated = "lead updated"
	Delivery    = "delivery"
	Document    = "document of one page of text"
	Scan        = "scanned page"
)

// Costs are what `dossier bench cost` measures.
type Costs struct {
	Idle  Spent  `json:"idleMicrosecondsPerSecond"` // of one API, one worker of all lanes, Postgres and Redis
	Units []Unit `json:"units"`
}

func (c Costs) of(name string) Unit {
	for _, u := range c.Units {
		if u.Name == name {
			return u
		}
	}
	return Unit{}
}

// Mix is what a document brings with it, and when.
type Mix struct {
	Leads      float64 // made for each document
	Updates    float64 // of leads
	Events     float64 // of the document and its share of the lead
	Endpoints  float64 // that are sent each event
	Scanned    float64 // share of the documents that are pictures, and not text
	Pages      float64 // of a document
	Busy       float64 // the busiest hour, in mean hours of a month
	Used       float64 // share of a processor that may be used in that hour
	KeptMonths float64 // rows and files
	Bytes      float64 // of a file
}

// Usual is a lender whose leads send five documents each of two pages, to be changed by who knows better.
func Usual() Mix {
	return Mix{Leads: 0.2, Updates: 1, Events: 5, Endpoints: 2, Scanned: 0.3, Pages: 2, Busy: 8, Used: 0.6,
		KeptMonths: 12, Bytes: 400_000}
}

// Need is what a number of documents a month wants.
type Need struct {
	Documents float64 `json:"documentsPerMonth"`
	PerHour   float64 `json:"documentsInTheBusiestHour"`
	Cores     Spent   `json:"cores"` // of processors, at the share that may be used
	DiskGB    float64 `json:"databaseGB"`
	WALGB     float64 `json:"walGBPerDay"`
	ObjectsGB float64 `json:"objectsGB"`
}

const hoursOfMonth = 730

// perDocument is what a document costs with all that it brings.
func (c Costs) perDocument(m Mix) Unit {
	var sum Unit
	add := func(name string, times float64) {
		u := c.of(name)
		sum.CPU, sum.Database = sum.CPU.plus(u.CPU, times), sum.Database+u.Database*times
		sum.WAL, sum.Objects = sum.WAL+u.WAL*times, sum.Objects+u.Objects*times
	}
	add(LeadCreated, m.Leads)
	add(LeadUpdated, m.Updates)
	add(Delivery, m.Events*m.Endpoints)
	add(Document, 1)
	// Reading is what differs; the services are asked the same of each document.
	sum.CPU.Worker += c.of(Document).CPU.Worker*(m.textual()-1) + c.of(Scan).CPU.Worker*m.Scanned*m.Pages
	sum.Objects = m.Bytes
	return sum
}

// textual is how many documents of one page of text those of text among a document are like: most of what reading one
// costs is not its pages (a process, the upload, verdicts), so each further page counts a quarter.
func (m Mix) textual() float64 { return (1 - m.Scanned) * (1 + (m.Pages-1)/4) }

// For says what documents a month want.
func (c Costs) For(documents float64, m Mix) Need {
	each := c.perDocument(m)
	n := Need{Documents: documents, PerHour: math.Ceil(documents / hoursOfMonth * m.Busy)}
	perSecond := documents / hoursOfMonth * m.Busy / 3600
	cores := func(idle, each float64) float64 { return (idle + each*perSecond) / 1e6 / m.Used }
	n.Cores = Spent{cores(c.Idle.API, each.CPU.API), cores(c.Idle.Worker, each.CPU.Worker),
		cores(c.Idle.Postgres, each.CPU.Postgres), cores(c.Idle.Redis, each.CPU.Redis),
		cores(c.Idle.Storage, each.CPU.Storage)}
	n.DiskGB = documents * m.KeptMonths * each.Database / (1 << 30)
	n.WALGB = documents / hoursOfMonth * 24 * each.WAL / (1 << 30)
	n.ObjectsGB = documents * m.KeptMonths * each.Objects / (1 << 30)
	return n
}

// Part is what one service of two processors carries.
type Part struct {
	Name     string
	PerHour  float64 // documents, with all they bring
	PerMonth float64 // of the same mix and its busiest hour
}

// Carries says how much each part carries on so many processors, in the order of how soon it is full.
func (c Costs) Carries(cores float64, m Mix) []Part {
	each := c.perDocument(m).CPU
	part := func(name string, cores, idle, each float64) Part {
		if each <= 0 {
			return Part{Name: name, PerHour: math.Inf(1), PerMonth: math.Inf(1)}
		}
		hour := max(0, cores*m.Used*1e6-idle) / each * 3600
		return Part{name, hour, hour / m.Busy * hoursOfMonth}
	}
	parts := []Part{part("worker", cores, c.Idle.Worker, each.Worker),
		part("Postgres", cores, c.Idle.Postgres, each.Postgres), part("API", cores, c.Idle.API, each.API),
		part("Redis", 1, c.Idle.Redis, each.Redis)} // it uses one processor
	for i := range parts {
		for j := i; j > 0 && parts[j].PerHour < parts[j-1].PerHour; j-- {
			parts[j], parts[j-1] = parts[j-1], parts[j]
		}
	}
	return parts
}
