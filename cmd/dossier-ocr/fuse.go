//go:build linux || darwin

package main

import "slices"

// The networks were exported with their activations and scales taken apart: after nearly every convolution stand
// eight passes over all of its numbers, which take as long as the convolution. fused says the same in three. Results
// differ by rounding alone.
//
//	conv, *s, +b                      the convolution's own weights and biases
//	y = v * clip(v+3, 0, 6) / 6       v * HardSigmoid(v)
//	y * s + b, then a convolution     s in its weights
//	x + x*h, h one number a channel   x * (1+h)
func fused(file []byte) (*graph, error) {
	g, err := openGraph(file)
	if err != nil {
		return nil, err
	}
	g.foldScales()
	g.foldHardSwish()
	g.foldNextScales()
	g.foldGates()
	g.inBlocks()
	return g, nil
}

// openFused loads a model in the form that takes less time.
func (o *onnxruntime) openFused(file []byte, input, output string) (*model, error) {
	g, err := fused(file)
	if err != nil {
		return nil, err
	}
	return o.open(g.bytes(), input, output)
}

// users are the nodes that take a value.
func (g *graph) users(name string) []*node {
	var found []*node
	for _, n := range g.nodes {
		if !n.gone && slices.Contains(n.inputs, name) {
			found = append(found, n)
		}
	}
	return found
}

// soleUser is the only node that takes a value, when it is of an operator.
func (g *graph) soleUser(name, operator string) *node {
	if users := g.users(name); len(users) == 1 && users[0].operator == operator {
		return users[0]
	}
	return nil
}

// scalar is the constant of one number that a node takes beside a value.
func (g *graph) scalar(n *node, beside string) (float32, bool) {
	if len(n.inputs) != 2 {
		return 0, false
	}
	other := n.inputs[0]
	if other == beside {
		other = n.inputs[1]
	}
	t := g.constants[other]
	if t == nil || len(t.values) != 1 {
		return 0, false
	}
	return t.values[0], true
}

// ownConstant gives a node a constant that no other node uses, as its input i.
func (g *graph) ownConstant(n *node, i int, t tensor) {
	name := n.outputs[0] + "/constant" + string(rune('0'+i))
	for len(n.inputs) <= i {
		n.inputs = append(n.inputs, "")
	}
	n.inputs[i], g.constants[name] = name, &t
}

func scaledBy(t *tensor, s float32) tensor {
	out := tensor{t.dimensions, make([]float32, len(t.values))}
	for i, v := range t.values {
		out.values[i] = v * s
	}
	return out
}

// foldScales takes a factor and a summand after a convolution into it.
func (g *graph) foldScales() {
	for _, conv := range g.nodes {
		if conv.operator != "Conv" || g.constants[conv.inputs[1]] == nil {
			continue
		}
		mul := g.soleUser(conv.outputs[0], "Mul")
		if mul == nil {
			continue
		}
		s, ok := g.scalar(mul, conv.outputs[0])
		if !ok {
			continue
		}
		weights := g.constants[conv.inputs[1]]
		bias := tensor{weights.dimensions[:1], make([]float32, weights.dimensions[0])}
		if len(conv.inputs) > 2 {
			if g.constants[conv.inputs[2]] == nil {
				continue
			}
			bias = scaledBy(g.constants[conv.inputs[2]], s)
		}
		g.ownConstant(conv, 1, scaledBy(weights, s))
		conv.outputs[0], mul.gone = mul.outputs[0], true
		if add := g.soleUser(conv.outputs[0], "Add"); add != nil {
			if b, ok := g.scalar(add, conv.outputs[0]); ok {
				for i := range bias.values {
					bias.values[i] += b
				}
				conv.outputs[0], add.gone = add.outputs[0], true
			}
		}
		g.ownConstant(conv, 2, bias)
	}
}

// foldHardSwish joins the four passes of the activation v * clip(v+3, 0, 6) / 6.
func (g *graph) foldHardSwish() {
	for _, add := range g.nodes {
		if add.operator != "Add" || add.gone {
			continue
		}
		v := add.inputs[0]
		if three, ok := g.scalar(add, v); !ok || three != 3 {
			continue
		}
		clip := g.soleUser(add.outputs[0], "Clip")
		if clip == nil {
			continue
		}
		mul := g.soleUser(clip.outputs[0], "Mul")
		if mul == nil || !slices.Contains(mul.inputs, v) {
			continue
		}
		div := g.soleUser(mul.outputs[0], "Div")
		if div == nil {
			continue
		}
		if six, ok := g.scalar(div, mul.outputs[0]); !ok || six != 6 {
			continue
		}
		clip.operator, clip.inputs = "HardSigmoid", []string{v}
		clip.attributes = []field{floatAttribute("alpha", 1.0/6), floatAttribute("beta", 0.5)}
		mul.outputs[0] = div.outputs[0]
		add.gone, div.gone = true, true
	}
}

// foldNextScales takes a factor before convolutions into their weights.
func (g *graph) foldNextScales() {
	for _, mul := range g.nodes {
		if mul.operator != "Mul" || mul.gone {
			continue
		}
		value := mul.inputs[1]
		if g.constants[value] != nil {
			value = mul.inputs[0]
		}
		s, ok := g.scalar(mul, value)
		add := g.soleUser(mul.outputs[0], "Add")
		if !ok || s == 0 || add == nil {
			continue
		}
		b, ok := g.scalar(add, mul.outputs[0])
		next := g.users(add.outputs[0])
		if !ok || len(next) == 0 || slices.ContainsFunc(next, func(n *node) bool {
			return n.operator != "Conv" || g.constants[n.inputs[1]] == nil || n.inputs[0] != add.outputs[0]
		}) {
			continue
		}
		for _, conv := range next {
			g.ownConstant(conv, 1, scaledBy(g.constants[conv.inputs[1]], s))
		}
		mul.gone = true
		add.inputs[0] = value
		g.ownConstant(add, 1, tensor{nil, []float32{b / s}})
	}
}

// foldGates makes one pass of x + x*h, where h is a number a channel.
func (g *graph) foldGates() {
	made := map[string]*node{}
	for _, n := range g.nodes {
		made[n.outputs[0]] = n
	}
	for _, add := range g.nodes {
		if add.operator != "Add" || add.gone {
			continue
		}
		x, product := add.inputs[0], add.inputs[1]
		mul := made[product]
		if mul == nil || mul.operator != "Mul" || mul.gone || g.soleUser(product, "Add") != add ||
			!slices.Contains(mul.inputs, x) {
			continue
		}
		h := mul.inputs[0]
		if h == x {
			h = mul.inputs[1]
		}
		if gate := made[h]; gate == nil || gate.operator != "HardSigmoid" || g.soleUser(h, "Mul") != mul {
			continue
		}
		mul.operator, mul.inputs = "Add", []string{h, ""}
		g.ownConstant(mul, 1, tensor{nil, []float32{1}})
		add.operator, add.inputs = "Mul", []string{x, mul.outputs[0]}
	}
}
