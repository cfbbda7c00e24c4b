import type {
  Recognition,
  RecognitionEvent,
  RecognitionQuestion,
  RecognitionStream,
  SpeechRecognizer,
} from "@parley/voice/ports/speech-recognizer";

/**
 * The next recognizer, opened beside one that takes long, so that its answer is ready when the other is given up. It hears
 * the open utterance again, and everything from then on.
 */
export class RecognizerSubstitute {
  readonly recognizer: SpeechRecognizer;
  /** Where the audio that it hears begins in the call. */
  readonly startSample: number;
  readonly #opening: Promise<RecognitionStream>;
  readonly #events: RecognitionEvent[] = [];
  #unheard: Int16Array[];
  #stream: RecognitionStream | null = null;
  #isClosed = false;

  constructor(
    recognizer: SpeechRecognizer,
    heard: { readonly pieces: readonly Int16Array[]; readonly startSample: number },
    open: (onEvent: (event: RecognitionEvent) => void) => Promise<RecognitionStream>,
  ) {
    this.recognizer = recognizer;
    this.startSample = heard.startSample;
    this.#unheard = [...heard.pieces];
    this.#opening = open((event) => this.#events.push(event)).then((stream) => {
      if (this.#isClosed) stream.close();
      for (const samples of this.#unheard) stream.hear(samples);
      this.#unheard = [];
      this.#stream = stream;
      return stream;
    });
    // Those who ask for an answer learn of it.
    this.#opening.catch(() => undefined);
  }

  hear(samples: Int16Array): void {
    if (this.#stream === null) this.#unheard.push(samples);
    else this.#stream.hear(samples);
  }

  /** The other one is late already, so all that was said is wanted, and not only what is known so far. */
  async recognize(question: RecognitionQuestion): Promise<Recognition> {
    const stream = await this.#opening;
    question.signal?.throwIfAborted();
    return stream.recognize({ ...question, isGuess: false });
  }

  /** Hands over the stream, with what it has reported until now. Null if it is not open. */
  take(): { readonly stream: RecognitionStream; readonly events: readonly RecognitionEvent[] } | null {
    return this.#stream && { stream: this.#stream, events: this.#events };
  }

  close(): void {
    this.#isClosed = true;
    this.#unheard = [];
    this.#stream?.close();
  }
}
