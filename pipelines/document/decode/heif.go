package decode

import (
	"bytes"
	"compress/gzip"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"image"
	"io"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/dossierhq/dossier/pipelines/document/refusal"
)

// HEIC and AVIF photographs are decoded in WebAssembly, as PDF is: libheif 1.18.2 with libde265 1.0.15, and libavif
// with libaom, as the modules github.com/gen2brain/heic v0.4.5 and avif v0.4.4 build them. The modules themselves are
// not used: they link a loader of the system's libraries. wasm/ holds the licences; libheif and libde265 are under the
// LGPL and can be replaced by another build of the same interface.
var (
	//go:embed wasm/heif.wasm.gz
	heifModule []byte
	//go:embed wasm/avif.wasm.gz
	avifModule []byte
)

// heifPages limits the memory of a decoder, in pages of 64 KiB: 384 MiB.
const heifPages = 6144

// pictureDecoder is a decoder in WebAssembly, for one picture.
type pictureDecoder struct {
	runtime wazero.Runtime
	module  api.Module
}

func openPictureDecoder(ctx context.Context, packed []byte, cacheDir string) (*pictureDecoder, error) {
	cache, err := wazero.NewCompilationCacheWithDir(cacheDir)
	if err != nil {
		return nil, err
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	code, err := io.ReadAll(unpacked)
	if err != nil {
		return nil, err
	}
	d := &pictureDecoder{runtime: wazero.NewRuntimeWithConfig(ctx,
		wazero.NewRuntimeConfig().WithCompilationCache(cache).WithMemoryLimitPages(heifPages))}
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, d.runtime); err != nil {
		return nil, errors.Join(err, d.runtime.Close(ctx))
	}
	if d.module, err = d.runtime.InstantiateWithConfig(ctx, code, wazero.NewModuleConfig()); err != nil {
		return nil, errors.Join(err, d.runtime.Close(ctx))
	}
	return d, nil
}

func (d *pictureDecoder) close(ctx context.Context) { _ = d.runtime.Close(ctx) }

var errPicture = errors.New("the picture cannot be decoded")

// put copies bytes into the decoder's memory, or reserves so many.
func (d *pictureDecoder) put(ctx context.Context, data []byte, size int) (uint64, error) {
	at, err := d.module.ExportedFunction("malloc").Call(ctx, uint64(size))
	if err != nil {
		return 0, err
	}
	if at[0] == 0 || !d.module.Memory().Write(uint32(at[0]), data) {
		return 0, errPicture
	}
	return at[0], nil
}

// run calls the decoder; it answers 0 when it fails.
func (d *pictureDecoder) run(ctx context.Context, args ...uint64) error {
	done, err := d.module.ExportedFunction("decode").Call(ctx, args...)
	if err != nil {
		return fmt.Errorf("%w: %w", errPicture, err)
	}
	if done[0] == 0 {
		return errPicture
	}
	return nil
}

// number reads one of the figures that the decoder writes.
func (d *pictureDecoder) number(at uint64) int {
	n, _ := d.module.Memory().ReadUint32Le(uint32(at)) // the place was reserved
	return int(n)
}

// Color spaces of libheif.
const (
	heifYCbCr = 0
	heifRGB   = 1
	heifGray  = 2
)

// decodeHEIC decodes the first picture of a HEIC file, upright and in shades of grey: its luminance.
func decodeHEIC(ctx context.Context, data []byte, cacheDir string, megapixels int) (image.Image, error) {
	d, err := openPictureDecoder(ctx, heifModule, cacheDir)
	if err != nil {
		return nil, &EngineFault{err}
	}
	defer d.close(ctx)
	in, err := d.put(ctx, data, len(data))
	if err != nil {
		return nil, err
	}
	out, err := d.put(ctx, nil, 20)
	if err != nil {
		return nil, err
	}
	if err := d.run(ctx, in, uint64(len(data)), 1, out, out+4, out+8, out+12, out+16, 0); err != nil {
		return nil, err
	}
	w, h, space := d.number(out), d.number(out+4), d.number(out+8)
	if err := pictureSize(w, h, megapixels); err != nil {
		return nil, err
	}
	each := 3 // bytes a pixel: three planes at most
	if space == heifRGB {
		each = 4
	}
	stride := (w*map[bool]int{true: 4, false: 1}[space == heifRGB] + 15) &^ 15
	size := (w + 80) * (h + 80) * each // the planes may be padded
	pixels, err := d.put(ctx, nil, size)
	if err != nil {
		return nil, err
	}
	if err := d.run(ctx, in, uint64(len(data)), 0, out, out+4, out+8, out+12, out+16, pixels); err != nil {
		return nil, err
	}
	plane, ok := d.module.Memory().Read(uint32(pixels), uint32(size))
	if !ok || len(plane) < stride*h {
		return nil, errPicture
	}
	switch space {
	case heifYCbCr, heifGray:
		return &image.Gray{Pix: bytes.Clone(plane[:stride*h]), Stride: stride, Rect: image.Rect(0, 0, w, h)}, nil
	case heifRGB:
		return &image.NRGBA{Pix: bytes.Clone(plane[:stride*h]), Stride: stride, Rect: image.Rect(0, 0, w, h)}, nil
	}
	return nil, errPicture
}

// decodeAVIF decodes the first picture of an AVIF file.
func decodeAVIF(ctx context.Context, data []byte, cacheDir string, megapixels int) (image.Image, error) {
	d, err := openPictureDecoder(ctx, avifModule, cacheDir)
	if err != nil {
		return nil, &EngineFault{err}
	}
	defer d.close(ctx)
	in, err := d.put(ctx, data, len(data))
	if err != nil {
		return nil, err
	}
	out, err := d.put(ctx, nil, 24)
	if err != nil {
		return nil, err
	}
	if err := d.run(ctx, in, uint64(len(data)), 1, 0, out, out+4, out+8, out+12, 0, 0); err != nil {
		return nil, err
	}
	w, h, depth := d.number(out), d.number(out+4), d.number(out+8)
	if err := pictureSize(w, h, megapixels); err != nil {
		return nil, err
	}
	each := 4 // bytes a pixel
	if depth > 8 {
		each = 8
	}
	pixels, err := d.put(ctx, nil, w*h*each)
	if err != nil {
		return nil, err
	}
	if err := d.run(ctx, in, uint64(len(data)), 0, 0, out, out+4, out+8, out+12, out+16, pixels); err != nil {
		return nil, err
	}
	rgba, ok := d.module.Memory().Read(uint32(pixels), uint32(w*h*each))
	if !ok {
		return nil, errPicture
	}
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	if depth <= 8 {
		copy(img.Pix, rgba)
		return img, nil
	}
	for i := range img.Pix { // of each sample, as a little-endian number of depth bits, the highest eight
		img.Pix[i] = byte((int(rgba[2*i]) | int(rgba[2*i+1])<<8) >> (depth - 8))
	}
	return img, nil
}

// pictureSize refuses a picture that is larger than may be unpacked.
func pictureSize(w, h, megapixels int) error {
	if w <= 0 || h <= 0 || w > 1<<16 || h > 1<<16 {
		return errPicture
	}
	if int64(w)*int64(h) > int64(megapixels)*1_000_000 {
		return refusal.New(refusal.TooLarge, "The image has more than %d megapixels.", megapixels)
	}
	return nil
}

// unpackPhotograph decodes the formats that Go's library does not know.
func (w *Decoder) unpackPhotograph(data []byte, mime string) (image.Image, error) {
	ctx := context.Background()
	decode := decodeHEIC
	if mime == mimeAVIF {
		decode = decodeAVIF
	}
	decoded, err := decode(ctx, data, w.cacheDir, w.limits.Megapixels)
	var refused *refusal.Refusal
	var fault *EngineFault
	switch {
	case errors.As(err, &refused), errors.As(err, &fault):
		return nil, err
	case err != nil:
		return nil, refusal.New(refusal.Corrupt, "The image is damaged and cannot be read.")
	}
	return decoded, nil
}

// warmPhotographs compiles the decoders into the cache directory.
func warmPhotographs(cacheDir string) error {
	ctx := context.Background()
	for _, module := range [][]byte{heifModule, avifModule} {
		d, err := openPictureDecoder(ctx, module, cacheDir)
		if err != nil {
			return err
		}
		d.close(ctx)
	}
	return nil
}
