//go:build linux || darwin

package main

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"
)

// Places of functions in OrtApi, the table that onnxruntime hands out. They are a promise of onnxruntime's: functions
// are only added at the end. Source: onnxruntime_c_api.h.
const (
	ortGetErrorMessage      = 2
	ortCreateEnv            = 3
	ortSessionFromArray     = 8
	ortRun                  = 9
	ortCreateSessionOptions = 10
	ortDisableMemPattern    = 17
	ortDisableCPUMemArena   = 19
	ortSetIntraOpThreads    = 24
	ortSetInterOpThreads    = 25
	ortTensorWithData       = 49
	ortTensorData           = 51
	ortDimensionsCount      = 61
	ortDimensions           = 62
	ortTensorShape          = 65
	ortCreateCPUMemoryInfo  = 69
	ortReleaseStatus        = 93
	ortReleaseValue         = 96
	ortReleaseOptions       = 100
	ortReleaseShape         = 99
	ortFunctions            = 110
)

const (
	ortAPIVersion   = 14 // the oldest table that has what is used here: any onnxruntime since 1.14 gives it
	ortLogErrors    = 3
	ortFloat        = 1
	ortArenaDefault = 1
	ortMemDefault   = 0
)

// onnxruntime is the C library. One thread, no arena: what a page took is given back before the next.
type onnxruntime struct {
	functions []uintptr
	version   string
	env       uintptr
	memory    uintptr
}

// openRuntime loads the library and asks it for its functions.
func openRuntime(library string) (*onnxruntime, error) {
	handle, err := purego.Dlopen(library, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, err
	}
	entry, err := purego.Dlsym(handle, "OrtGetApiBase")
	if err != nil {
		return nil, err
	}
	base, _, _ := purego.SyscallN(entry)
	if base == 0 {
		return nil, errors.New("onnxruntime has no API")
	}
	doors := unsafe.Slice((*uintptr)(pointer(base)), 2) // GetApi, GetVersionString
	version, _, _ := purego.SyscallN(doors[1])
	table, _, _ := purego.SyscallN(doors[0], ortAPIVersion)
	if table == 0 {
		return nil, fmt.Errorf("onnxruntime %s is older than 1.%d", text(version), ortAPIVersion)
	}
	o := &onnxruntime{functions: unsafe.Slice((*uintptr)(pointer(table)), ortFunctions), version: text(version)}
	name := []byte("dossier-ocr\x00")
	if err := o.call(ortCreateEnv, ortLogErrors, uintptr(unsafe.Pointer(&name[0])),
		uintptr(unsafe.Pointer(&o.env))); err != nil {
		return nil, err
	}
	return o, o.call(ortCreateCPUMemoryInfo, ortArenaDefault, ortMemDefault, uintptr(unsafe.Pointer(&o.memory)))
}

// call calls a function that answers with a status: none is success.
//
// What its arguments point to stays where it is until the function is back.
//
//go:uintptrescapes
func (o *onnxruntime) call(function int, args ...uintptr) error {
	status, _, _ := purego.SyscallN(o.functions[function], args...)
	if status == 0 {
		return nil
	}
	said, _, _ := purego.SyscallN(o.functions[ortGetErrorMessage], status)
	message := text(said)
	o.release(ortReleaseStatus, status)
	if strings.Contains(message, "bad_alloc") || strings.Contains(strings.ToLower(message), "alloc") {
		return fmt.Errorf("%w: %s", errMemory, message)
	}
	return errors.New(message)
}

func (o *onnxruntime) release(function int, what uintptr) {
	if what != 0 {
		_, _, _ = purego.SyscallN(o.functions[function], what)
	}
}

// model is a network with one input and one output, both of 32-bit floats.
type model struct {
	runtime       *onnxruntime
	session       uintptr
	input, output []byte // names, ending in 0
}

// open loads a model from its file's bytes.
func (o *onnxruntime) open(file []byte, input, output string) (*model, error) {
	var options uintptr
	if err := o.call(ortCreateSessionOptions, uintptr(unsafe.Pointer(&options))); err != nil {
		return nil, err
	}
	defer o.release(ortReleaseOptions, options)
	for _, setting := range [][]uintptr{
		{ortSetIntraOpThreads, options, 1}, {ortSetInterOpThreads, options, 1}, {ortDisableMemPattern, options},
		{ortDisableCPUMemArena, options},
	} {
		if err := o.call(int(setting[0]), setting[1:]...); err != nil {
			return nil, err
		}
	}
	m := &model{runtime: o, input: append([]byte(input), 0), output: append([]byte(output), 0)}
	err := o.call(ortSessionFromArray, o.env, uintptr(unsafe.Pointer(&file[0])), uintptr(len(file)), options,
		uintptr(unsafe.Pointer(&m.session)))
	return m, err
}

// run gives the model a tensor of the shape and hands its output to use, which must not keep it.
func (m *model) run(data []float32, shape []int64, use func(out []float32, shape []int64)) error {
	var pins runtime.Pinner // of what C finds through names
	defer pins.Unpin()
	pins.Pin(&m.input[0])
	pins.Pin(&m.output[0])
	names := []*byte{&m.input[0], &m.output[0]}
	values := []uintptr{0, 0} // in, out
	o := m.runtime
	err := o.call(ortTensorWithData, o.memory, uintptr(unsafe.Pointer(&data[0])), uintptr(4*len(data)),
		uintptr(unsafe.Pointer(&shape[0])), uintptr(len(shape)), ortFloat, uintptr(unsafe.Pointer(&values[0])))
	if err != nil {
		return err
	}
	defer runtime.KeepAlive(data) // the tensor is made on it
	defer func() { o.release(ortReleaseValue, values[0]) }()
	err = o.call(ortRun, m.session, 0, uintptr(unsafe.Pointer(&names[0])), uintptr(unsafe.Pointer(&values[0])), 1,
		uintptr(unsafe.Pointer(&names[1])), 1, uintptr(unsafe.Pointer(&values[1])))
	if err != nil {
		return err
	}
	defer func() { o.release(ortReleaseValue, values[1]) }()
	return o.view(values[1], use)
}

// view hands the numbers of a tensor to use.
func (o *onnxruntime) view(tensor uintptr, use func(out []float32, shape []int64)) error {
	var info, dimensions, out uintptr
	if err := o.call(ortTensorShape, tensor, uintptr(unsafe.Pointer(&info))); err != nil {
		return err
	}
	defer func() { o.release(ortReleaseShape, info) }()
	if err := o.call(ortDimensionsCount, info, uintptr(unsafe.Pointer(&dimensions))); err != nil {
		return err
	}
	sizes := make([]int64, max(dimensions, 1))
	if err := o.call(ortDimensions, info, uintptr(unsafe.Pointer(&sizes[0])), dimensions); err != nil {
		return err
	}
	if err := o.call(ortTensorData, tensor, uintptr(unsafe.Pointer(&out))); err != nil {
		return err
	}
	length := int64(1)
	for _, n := range sizes {
		length *= n
	}
	use(unsafe.Slice((*float32)(pointer(out)), length), sizes)
	return nil
}

// pointer is an address of C's as Go's. What it points to is C's and does not move.
func pointer(address uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&address)) }

// text is a string of C's.
func text(at uintptr) string {
	if at == 0 {
		return ""
	}
	n := 0
	for *(*byte)(unsafe.Add(pointer(at), n)) != 0 {
		n++
	}
	return string(unsafe.Slice((*byte)(pointer(at)), n))
}
