let context: AudioContext | null = null;

/** Plays a sound file that was fetched, and stops whatever it was that played before. */
export async function playWav(bytes: ArrayBuffer, onEnd: () => void): Promise<() => void> {
  // The page's policy lets no sound in by an address of its own making, so it is decoded and not given to an element.
  context ??= new AudioContext();
  if (context.state === "suspended") await context.resume();
  const source = context.createBufferSource();
  source.buffer = await context.decodeAudioData(bytes);
  source.connect(context.destination);
  source.addEventListener("ended", onEnd, { once: true });
  source.start();
  return () => source.stop();
}
