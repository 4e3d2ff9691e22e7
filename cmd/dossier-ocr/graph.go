//go:build linux || darwin

package main

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
)

// The part of the ONNX format that networks are rewritten in: messages of protocol buffers, whose fields that are of
// no matter here are kept as they are. Source: onnx.proto of ONNX 1.14.
const (
	modelGraph = 7

	graphNode = 1

	nodeInput, nodeOutput, nodeOperator, nodeAttribute = 1, 2, 4, 5

	attributeName, attributeFloat, attributeInteger, attributeTensor, attributeType = 1, 2, 3, 5, 20

	typeFloat, typeInteger, typeTensor = 1, 2, 4

	tensorDimensions, tensorType, tensorRaw = 1, 2, 9

	elementFloat = 1
)

var errGraph = errors.New("the model is no ONNX file that can be rewritten")

// field is one field of a message: a number, or bytes.
type field struct {
	number int
	wire   int
	value  uint64 // of wire 0
	bytes  []byte // of all others
}

// Wire types of protocol buffers.
const (
	wireVarint, wire64, wireBytes, wire32 = 0, 1, 2, 5
)

// fieldsOf takes a message apart.
func fieldsOf(message []byte) ([]field, error) {
	var fields []field
	for len(message) > 0 {
		key, n := binary.Uvarint(message)
		if n <= 0 {
			return nil, errGraph
		}
		message = message[n:]
		f := field{number: int(key >> 3), wire: int(key & 7)}
		size := uint64(0)
		switch f.wire {
		case wireVarint:
			if f.value, n = binary.Uvarint(message); n <= 0 {
				return nil, errGraph
			}
			message = message[n:]
		case wire64:
			size = 8
		case wire32:
			size = 4
		case wireBytes:
			if size, n = binary.Uvarint(message); n <= 0 {
				return nil, errGraph
			}
			message = message[n:]
		default:
			return nil, errGraph
		}
		if size > uint64(len(message)) {
			return nil, errGraph
		}
		f.bytes, message = message[:size], message[size:]
		fields = append(fields, f)
	}
	return fields, nil
}

// appendField puts a field at the end of a message.
func appendField(message []byte, f field) []byte {
	message = binary.AppendUvarint(message, uint64(f.number)<<3|uint64(f.wire))
	switch f.wire {
	case wireVarint:
		return binary.AppendUvarint(message, f.value)
	case wireBytes:
		message = binary.AppendUvarint(message, uint64(len(f.bytes)))
	}
	return append(message, f.bytes...)
}

func textField(number int, s string) field {
	return field{number: number, wire: wireBytes, bytes: []byte(s)}
}

// node is one operation of a network.
type node struct {
	operator        string
	inputs, outputs []string
	attributes      []field // of the node, as they stand in the file
	gone            bool
}

// tensor is a constant of 32-bit floats.
type tensor struct {
	dimensions []uint64
	values     []float32
}

// graph is a network that is rewritten.
type graph struct {
	model, rest []field // of the model without its graph; of the graph without its nodes
	nodes       []*node
	constants   map[string]*tensor
}

// openGraph reads the operations and the constants of an ONNX file.
func openGraph(file []byte) (*graph, error) {
	g := &graph{constants: map[string]*tensor{}}
	model, err := fieldsOf(file)
	if err != nil {
		return nil, err
	}
	var fields []field
	for _, f := range model {
		if f.number != modelGraph {
			g.model = append(g.model, f)
		} else if fields, err = fieldsOf(f.bytes); err != nil {
			return nil, err
		}
	}
	for _, f := range fields {
		if f.number != graphNode {
			g.rest = append(g.rest, f)
			continue
		}
		n, err := nodeOf(f.bytes)
		if err != nil {
			return nil, err
		}
		if n.operator == "Constant" && len(n.attributes) == 1 && len(n.outputs) == 1 {
			t, err := tensorOf(n.attributes[0].bytes)
			if err != nil {
				return nil, err
			}
			if t != nil {
				g.constants[n.outputs[0]] = t
				continue
			}
		}
		g.nodes = append(g.nodes, n)
	}
	return g, nil
}

func nodeOf(message []byte) (*node, error) {
	fields, err := fieldsOf(message)
	if err != nil {
		return nil, err
	}
	n := &node{}
	for _, f := range fields {
		switch f.number {
		case nodeInput:
			n.inputs = append(n.inputs, string(f.bytes))
		case nodeOutput:
			n.outputs = append(n.outputs, string(f.bytes))
		case nodeOperator:
			n.operator = string(f.bytes)
		case nodeAttribute:
			n.attributes = append(n.attributes, f)
		}
	}
	return n, nil
}

// tensorOf is the tensor of floats in an attribute; nil when it holds another.
func tensorOf(attribute []byte) (*tensor, error) {
	fields, err := fieldsOf(attribute)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(fields, func(f field) bool { return f.number == attributeTensor })
	if at < 0 {
		return nil, nil
	}
	if fields, err = fieldsOf(fields[at].bytes); err != nil {
		return nil, err
	}
	t, floats := &tensor{}, false
	for _, f := range fields {
		switch f.number {
		case tensorDimensions:
			if f.wire != wireVarint {
				return nil, nil
			}
			t.dimensions = append(t.dimensions, f.value)
		case tensorType:
			floats = f.value == elementFloat
		case tensorRaw:
			t.values = make([]float32, len(f.bytes)/4)
			for i := range t.values {
				t.values[i] = math.Float32frombits(binary.LittleEndian.Uint32(f.bytes[4*i:]))
			}
		}
	}
	if !floats || len(t.values) == 0 {
		return nil, nil
	}
	return t, nil
}

// bytes is the network as an ONNX file.
func (g *graph) bytes() []byte {
	var out []byte
	for name, t := range g.sortedConstants() {
		out = appendField(out, field{number: graphNode, wire: wireBytes, bytes: t.node(name)})
	}
	for _, n := range g.nodes {
		if !n.gone {
			out = appendField(out, field{number: graphNode, wire: wireBytes, bytes: n.bytes()})
		}
	}
	for _, f := range g.rest {
		out = appendField(out, f)
	}
	var file []byte
	for _, f := range g.model {
		file = appendField(file, f)
	}
	return appendField(file, field{number: modelGraph, wire: wireBytes, bytes: out})
}

// sortedConstants are the constants that are used, in the order of their names.
func (g *graph) sortedConstants() func(yield func(string, *tensor) bool) {
	var names []string
	for _, n := range g.nodes {
		for _, in := range n.inputs {
			if g.constants[in] != nil && !n.gone {
				names = append(names, in)
			}
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	return func(yield func(string, *tensor) bool) {
		for _, name := range names {
			if !yield(name, g.constants[name]) {
				return
			}
		}
	}
}

func (n *node) bytes() []byte {
	var out []byte
	for _, in := range n.inputs {
		out = appendField(out, textField(nodeInput, in))
	}
	for _, name := range n.outputs {
		out = appendField(out, textField(nodeOutput, name))
	}
	out = appendField(out, textField(nodeOperator, n.operator))
	for _, f := range n.attributes {
		out = appendField(out, f)
	}
	return out
}

// node is the operation that gives a constant.
func (t *tensor) node(name string) []byte {
	var inner []byte
	for _, d := range t.dimensions {
		inner = appendField(inner, field{number: tensorDimensions, value: d})
	}
	inner = appendField(inner, field{number: tensorType, value: elementFloat})
	raw := make([]byte, 0, 4*len(t.values))
	for _, v := range t.values {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
	}
	inner = appendField(inner, field{number: tensorRaw, wire: wireBytes, bytes: raw})
	attribute := appendField(nil, textField(attributeName, "value"))
	attribute = appendField(attribute, field{number: attributeTensor, wire: wireBytes, bytes: inner})
	attribute = appendField(attribute, field{number: attributeType, value: typeTensor})
	n := node{operator: "Constant", outputs: []string{name},
		attributes: []field{{number: nodeAttribute, wire: wireBytes, bytes: attribute}}}
	return n.bytes()
}

// floatAttribute is an attribute of a node that is one float.
func floatAttribute(name string, v float32) field {
	f := appendField(nil, textField(attributeName, name))
	f = appendField(f, field{number: attributeFloat, wire: wire32,
		bytes: binary.LittleEndian.AppendUint32(nil, math.Float32bits(v))})
	f = appendField(f, field{number: attributeType, value: typeFloat})
	return field{number: nodeAttribute, wire: wireBytes, bytes: f}
}

// integerAttribute is an attribute of a node that is one whole number.
func integerAttribute(name string, v int) field {
	f := appendField(nil, textField(attributeName, name))
	f = appendField(f, field{number: attributeInteger, value: uint64(v)})
	f = appendField(f, field{number: attributeType, value: typeInteger})
	return field{number: nodeAttribute, wire: wireBytes, bytes: f}
}
