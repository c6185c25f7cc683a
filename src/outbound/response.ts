import { Readable } from 'node:stream';
import { arrayBuffer, json, text } from 'node:stream/consumers';

/** What the vendors' SDKs use of a `Response`; its body is a stream of Node.js. */
export interface StreamingResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly url: string;
  readonly headers: Headers;
  /** Bytes as they come. Whoever stops reading before the end destroys it, which ends the request. */
  readonly body: Readable;
  text(): Promise<string>;
  json(): Promise<unknown>;
  arrayBuffer(): Promise<ArrayBuffer>;
}

type Answer = Pick<StreamingResponse, 'status' | 'statusText' | 'url' | 'headers' | 'body'>;

/** A class, since its methods then cost nothing per response. */
export class NodeResponse implements StreamingResponse {
  readonly status: number;
  readonly statusText: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: Readable;

  constructor({ status, statusText, url, headers, body }: Answer) {
    this.status = status;
    this.statusText = statusText;
    this.url = url;
    this.headers = headers;
    this.body = body;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  text(): Promise<string> {
    return text(this.body);
  }

  json(): Promise<unknown> {
    return json(this.body);
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return arrayBuffer(this.body);
  }
}

/** The stream within what an SDK's `asResponse()` gave, when its `fetch` was a `streamingFetch`. */
export function bodyOf(response: Response): Readable {
  const body: unknown = response.body;
  if (body instanceof Readable) return body;
  throw new TypeError('bodyOf takes a response of streamingFetch');
}
