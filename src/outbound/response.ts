import { arrayBuffer, json, text } from 'node:stream/consumers';
import { ResponseBody } from './response-body.ts';

/** The members of `Response` that the vendors' SDKs use. The body is no web stream. */
export interface StreamingResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: ResponseBody;
  text(): Promise<string>;
  json(): Promise<unknown>;
  arrayBuffer(): Promise<ArrayBuffer>;
}

type Answer = Pick<StreamingResponse, 'status' | 'statusText' | 'url' | 'headers' | 'body'>;

/** A class, so that a response costs no closures. */
export class NodeResponse implements StreamingResponse {
  readonly status: number;
  readonly statusText: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: ResponseBody;

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

/** The body of a response of `streamingFetch`. */
export function bodyOf(response: Response): ResponseBody {
  const body: unknown = response.body;
  if (body instanceof ResponseBody) return body;
  throw new TypeError('bodyOf takes a response of streamingFetch');
}
