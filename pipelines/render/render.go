// Package render draws the files of a spread: a PDF report and a workbook. The same results give the same bytes.
// What the figures are and how they came about does not belong here.
//
// The report carries its title, its language, numbers of pages and bookmarks. It is no PDF/UA file: maroto, and gofpdf
// below it, write no structure of headings and tables.
package render
