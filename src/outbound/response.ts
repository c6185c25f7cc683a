import { arrayBuffer, json, text } from 'node:stream/consumers';
import { ResponseBody } from './response-body.ts';

type Parts = Pick<StreamingResponse, 'status' | 'statusText' | 'url' | 'headers' | 'body'>;

/** The members of `Response` that the vendors' SDKs use. The body is not a web stream. */
export class StreamingResponse {
  readonly status: number;
  readonly statusText: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: ResponseBody;

  constructor({ status, statusText, url, headers, body }: Parts) {
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

export function bodyOf(response: Response): ResponseBody {
  const body: unknown = response.body;
  if (body instanceof ResponseBody) return body;
  throw new TypeError('bodyOf takes a response of streamingFetch');
}
