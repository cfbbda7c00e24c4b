import { join } from "node:path";
import { outcomeOf } from "@parley/voice/conformance/outcome-of";
import { afterEach, describe, expect, it } from "vitest";
import { findSherpaLibrary, findSherpaModel } from "./sherpa-model.ts";
import { type ModelFolder, makeModelFolder } from "./testing/sherpa-library.ts";

const folders: ModelFolder[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await folder.remove();
});

async function make(options: Parameters<typeof makeModelFolder>[0]): Promise<ModelFolder> {
  const folder = await makeModelFolder(options);
  folders.push(folder);
  return folder;
}

describe("the folder of a model for sherpa-onnx", () => {
  const transducer = ["encoder-epoch-99.onnx", "decoder-epoch-99.onnx", "joiner-epoch-99.onnx"];
  it.each([
    ["sherpa-onnx-moonshine-tiny-en-2026", ["encoder_model.ort", "decoder_model_merged.ort"], "moonshine", false],
    [
      "sherpa-onnx-moonshine-tiny-en-int8",
      ["preprocess.onnx", "encode.int8.onnx", "uncached_decode.int8.onnx", "cached_decode.int8.onnx"],
      "moonshine",
      false,
    ],
    ["sherpa-onnx-whisper-tiny", ["tiny-encoder.onnx", "tiny-decoder.onnx"], "whisper", false],
    ["sherpa-onnx-zipformer-gigaspeech", transducer, "transducer", false],
    ["sherpa-onnx-non-streaming-zipformer", transducer, "transducer", false],
    ["sherpa-onnx-streaming-zipformer-en", transducer, "transducer", true],
    ["zipformer", ["encoder-chunk-16-left-128.onnx", "decoder.onnx", "joiner.onnx"], "transducer", true],
    ["sherpa-onnx-streaming-paraformer-bilingual", ["encoder.onnx", "decoder.onnx"], "paraformer", true],
    ["sherpa-onnx-paraformer-zh", ["model.onnx"], "paraformer", false],
    ["sherpa-onnx-sense-voice-zh-en", ["model.int8.onnx"], "senseVoice", false],
    ["sherpa-onnx-nemo-fast-conformer-ctc-en", ["model.onnx"], "nemoCtc", false],
    ["sherpa-onnx-zipformer-ctc-zh", ["model.onnx"], "zipformerCtc", false],
  ])("%s is known by its files: %s", async (name, files, kind, isStreaming) => {
    const { path } = await make({ name, files });
    const model = await findSherpaModel(path);
    expect(Object.keys(model.modelConfig)).toEqual([kind, "tokens"]);
    expect(model.isStreaming).toBe(isStreaming);
    expect(model.modelConfig.tokens).toBe(join(path, "tokens.txt"));
  });

  it("takes the quantized network where there are two", async () => {
    const { path } = await make({
      name: "whisper",
      files: ["e-encoder.onnx", "e-encoder.int8.onnx", "e-decoder.onnx"],
    });
    expect((await findSherpaModel(path)).modelConfig.whisper).toMatchObject({
      encoder: join(path, "e-encoder.int8.onnx"),
      decoder: join(path, "e-decoder.onnx"),
    });
  });

  it.each([
    ["has no model of a kind that is known", { name: "something", files: ["model.onnx"] }],
    ["has no model of a kind that is known", { name: "zipformer", files: ["encoder.onnx", "joiner.onnx"] }],
  ])("is refused in plain words if it %s", async (message, options) => {
    const { path } = await make(options);
    expect(await outcomeOf(findSherpaModel(path))).toMatchObject({
      retryable: false,
      message: expect.stringContaining(message),
    });
  });

  it("that does not exist is refused in plain words", async () => {
    expect(await outcomeOf(findSherpaModel("/nowhere/at-all"))).toMatchObject({
      message: "There is no folder /nowhere/at-all for sherpa-onnx, or it cannot be read.",
    });
  });

  it("without the library beside it says how to install it", async () => {
    const { path } = await make({ hasLibrary: false });
    expect(() => findSherpaLibrary(path)).toThrow(
      `sherpa-onnx-node is not installed. Run: npm install --prefix ${path} sherpa-onnx-node`,
    );
  });
});
