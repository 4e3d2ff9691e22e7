//go:build linux || darwin

package main

import "slices"

// onnxruntime keeps the numbers between two convolutions in blocks of channels, as its kernels want them. Any other
// pass over them, but for a product of two such values, has it lay them out plainly and in blocks again, which takes
// longer than the pass. inBlocks says such passes as convolutions of each channel with one weight:
//
//	HardSigmoid(v)                    HardSigmoid(1*v), which becomes the activation of that convolution
//	y + c, then a 1x1 convolution     c in its biases
//	y + c, then another               1*y + c; the edge that is filled up with zeros needs the sum itself
func (g *graph) inBlocks() {
	made := map[string]*node{}
	for _, n := range g.nodes {
		if !n.gone {
			made[n.outputs[0]] = n
		}
	}
	var nodes []*node
	for _, n := range g.nodes {
		switch {
		case n.gone:
			continue
		case g.swishes(made, n):
			v := n.inputs[0]
			same := g.perChannel(v, v+"/same", g.channels(made[v]), 0)
			n.inputs = []string{same.outputs[0]}
			nodes = append(nodes, same)
		default:
			if swish, c, ok := g.shifted(made, n); ok {
				g.foldShift(n, c)
				if len(g.users(n.outputs[0])) == 0 {
					continue
				}
				n = g.perChannel(n.inputs[0], n.outputs[0], g.channels(made[swish.inputs[0]]), c)
			}
		}
		nodes = append(nodes, n)
	}
	g.nodes = nodes
}

// swishes reports whether a node is the HardSigmoid of v * HardSigmoid(v), where a convolution made v.
func (g *graph) swishes(made map[string]*node, n *node) bool {
	if n.operator != "HardSigmoid" || g.channels(made[n.inputs[0]]) == 0 {
		return false
	}
	mul := g.soleUser(n.outputs[0], "Mul")
	return mul != nil && mul.inputs[0] == n.inputs[0]
}

// shifted reports whether a node adds a constant to v * HardSigmoid(v): the product, and the constant.
func (g *graph) shifted(made map[string]*node, n *node) (*node, float32, bool) {
	if n.operator != "Add" {
		return nil, 0, false
	}
	mul := made[n.inputs[0]]
	if mul == nil || mul.operator != "Mul" || g.channels(made[mul.inputs[0]]) == 0 {
		return nil, 0, false
	}
	c, ok := g.scalar(n, n.inputs[0])
	return mul, c, ok
}

// channels is how many channels a convolution gives; 0 when the node is none.
func (g *graph) channels(n *node) int {
	if n == nil || n.operator != "Conv" || g.constants[n.inputs[1]] == nil {
		return 0
	}
	return int(g.constants[n.inputs[1]].dimensions[0])
}

// foldShift takes a summand of all numbers into the biases of the 1x1 convolutions that follow.
func (g *graph) foldShift(add *node, c float32) {
	for _, conv := range g.users(add.outputs[0]) {
		if g.channels(conv) == 0 || conv.inputs[0] != add.outputs[0] {
			continue
		}
		weights := g.constants[conv.inputs[1]]
		outs, ins := int(weights.dimensions[0]), int(weights.dimensions[1])
		if ins == 1 || len(weights.values) != outs*ins || len(conv.inputs) > 2 && g.constants[conv.inputs[2]] == nil {
			continue
		}
		bias := tensor{weights.dimensions[:1], make([]float32, outs)}
		if len(conv.inputs) > 2 {
			copy(bias.values, g.constants[conv.inputs[2]].values)
		}
		for o := range bias.values {
			for _, w := range weights.values[o*ins : (o+1)*ins] {
				bias.values[o] += w * c
			}
		}
		conv.inputs[0] = add.inputs[0]
		g.ownConstant(conv, 2, bias)
	}
}

// perChannel is the convolution that gives every number of its input with a summand.
func (g *graph) perChannel(input, output string, channels int, summand float32) *node {
	n := &node{operator: "Conv", inputs: []string{input}, outputs: []string{output},
		attributes: []field{integerAttribute("group", channels)}}
	g.ownConstant(n, 1, tensor{[]uint64{uint64(channels), 1, 1, 1}, slices.Repeat([]float32{1}, channels)})
	if summand != 0 {
		g.ownConstant(n, 2, tensor{[]uint64{uint64(channels)}, slices.Repeat([]float32{summand}, channels)})
	}
	return n
}
