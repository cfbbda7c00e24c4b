import { Readable } from "node:stream";
import type { S3Client } from "@aws-sdk/client-s3";
import type { BucketSettings } from "../config/bucket-settings.ts";
import type { ByteRange } from "./byte-range.ts";

/** An uploaded part of a multipart upload. */
export interface UploadedPart {
  readonly number: number;
  readonly etag: string;
  readonly bytes: number;
}

/** The operations needed of an object store. All reject when the store cannot be reached or refuses. */
export interface Bucket {
  /** Null when there is no such object. */
  measure(key: string): Promise<number | null>;
  read(key: string, part: ByteRange): Promise<Readable>;
  /** Stores an object of a type; a recording unless it says otherwise. */
  put(key: string, bytes: Uint8Array, contentType?: string): Promise<void>;
  remove(key: string): Promise<void>;
  beginUpload(key: string): Promise<string>;
  uploadPart(key: string, uploadId: string, number: number, bytes: Uint8Array): Promise<UploadedPart>;
  completeUpload(key: string, uploadId: string, parts: readonly UploadedPart[]): Promise<void>;
  /** Aborts an upload. Stores that do not support this drop it eventually. */
  abortUpload(key: string, uploadId: string): Promise<void>;
  close(): void;
}

const BYTES = { objectMode: false };
const CONTENT_TYPE = "audio/wav";
const CONNECT_WITHIN_MS = 5_000;
const ANSWER_WITHIN_MS = 60_000;

/** Opens a bucket. The client is loaded for the first request: it is large, and few installations use a bucket. */
export function openBucket({ bucket: Bucket, endpoint, region, credentials, isPathStyle }: BucketSettings): Bucket {
  let loading: ReturnType<typeof load> | null = null;
  async function load() {
    const sdk = await import("@aws-sdk/client-s3");
    const client: S3Client = new sdk.S3Client({
      region,
      forcePathStyle: isPathStyle,
      ...(endpoint ? { endpoint } : {}),
      ...(credentials ? { credentials } : {}),
      // The checksums that newer clients add by default are not understood by every vendor.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      requestHandler: { connectionTimeout: CONNECT_WITHIN_MS, requestTimeout: ANSWER_WITHIN_MS },
    });
    return { sdk, client };
  }
  const s3 = () => {
    loading ??= load();
    return loading;
  };

  return {
    async measure(Key) {
      const { sdk, client } = await s3();
      try {
        const { ContentLength } = await client.send(new sdk.HeadObjectCommand({ Bucket, Key }));
        return ContentLength ?? 0;
      } catch (error) {
        if (isCalled(error, "NotFound", "NoSuchKey")) return null;
        throw error;
      }
    },
    async read(Key, { first, last }) {
      const { sdk, client } = await s3();
      const Range = `bytes=${first}-${last}`;
      const { Body, ContentRange } = await client.send(new sdk.GetObjectCommand({ Bucket, Key, Range }));
      if (!Body) throw new Error("the store sent nothing");
      const content = Body as Readable;
      if (ContentRange?.startsWith(`bytes ${first}-${last}/`)) return content;
      // RFC 9110, section 14.2: a server may answer a range with the whole object or more, and some vendors do.
      const from = Number(/^bytes (\d+)-/.exec(ContentRange ?? "")?.[1] ?? 0);
      return Readable.from(cutOut(content, { first: first - from, last: last - from }), BYTES);
    },
    async put(Key, Body, ContentType = CONTENT_TYPE) {
      const { sdk, client } = await s3();
      await client.send(new sdk.PutObjectCommand({ Bucket, Key, Body, ContentType }));
    },
    async remove(Key) {
      const { sdk, client } = await s3();
      await client.send(new sdk.DeleteObjectCommand({ Bucket, Key }));
    },
    async beginUpload(Key) {
      const { sdk, client } = await s3();
      const begin = new sdk.CreateMultipartUploadCommand({ Bucket, Key, ContentType: CONTENT_TYPE });
      const { UploadId } = await client.send(begin);
      if (!UploadId) throw new Error("the store began no upload");
      return UploadId;
    },
    async uploadPart(Key, UploadId, PartNumber, Body) {
      const { sdk, client } = await s3();
      const { ETag } = await client.send(new sdk.UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }));
      if (!ETag) throw new Error("the store did not say how it knows the part");
      return { number: PartNumber, etag: ETag, bytes: Body.length };
    },
    async completeUpload(Key, UploadId, parts) {
      const { sdk, client } = await s3();
      const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag }));
      const MultipartUpload = { Parts: Parts.sort((a, b) => a.PartNumber - b.PartNumber) };
      await client.send(new sdk.CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload }));
    },
    async abortUpload(Key, UploadId) {
      const { sdk, client } = await s3();
      try {
        await client.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
      } catch (error) {
        if (!isCalled(error, "NoSuchUpload", "NotImplemented", "MethodNotAllowed")) throw error;
      }
    },
    close() {
      void loading?.then(
        ({ client }) => client.destroy(),
        () => undefined,
      );
    },
  };
}

async function* cutOut(whole: Readable, { first, last }: ByteRange): AsyncGenerator<Uint8Array> {
  let at = 0;
  for await (const piece of whole as AsyncIterable<Uint8Array>) {
    if (at > last) return;
    const part = piece.subarray(Math.max(0, first - at), last - at + 1);
    if (part.length > 0) yield part;
    at += piece.length;
  }
}

function isCalled(error: unknown, ...names: string[]): boolean {
  return error instanceof Error && names.includes(error.name);
}
