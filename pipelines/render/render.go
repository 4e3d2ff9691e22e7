// Package render draws the files of a spread: a PDF report and a workbook. The same results give the same bytes.
// What the figures are and how they came about does not belong here.
package render
