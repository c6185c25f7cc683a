import { createParser } from 'eventsource-parser';
import { ProviderFault } from '../../core/agents/chat/provider.ts';

/** `event` is empty without a name. */
export interface SseMessage {
  event: string;
  data: string;
}

/** Characters; an image from a model is one message. */
const MAX_MESSAGE = 64 * 1024 * 1024;
/** Characters of text outside events: a page of HTML, or an answer in one piece of JSON. */
const MAX_STRAY = 64 * 1024;
const MAX_UNSTREAMED = 4 * 1024 * 1024;
const EVENT_LINE = /^(data|event|id|retry)?(:|$)/;

export class SseDecoder {
  private readonly utf8 = new TextDecoder();
  private messages: SseMessage[] = [];
  private readonly parser = createParser({
    maxBufferSize: MAX_MESSAGE,
    onEvent: ({ event = '', data }) => this.messages.push({ event, data }),
    onError: ({ type }) => {
      if (type !== 'max-buffer-size-exceeded') return;
      throw new ProviderFault('broken', 'The provider sent a message without an end.');
    },
  });
  private unparsed = '';

  /** True right after a blank line: the next event needs no earlier bytes. */
  isBetweenEvents = false;

  /** Text outside events: an HTML page, or an error in plain JSON. */
  get stray(): string {
    const lines = this.unparsed.split(/\r\n?|\n/);
    return lines.filter((line) => !EVENT_LINE.test(line)).join('\n');
  }

  /** Throws `broken` for a message that is too long. */
  push(bytes: Uint8Array): SseMessage[] {
    const text = this.utf8.decode(bytes, { stream: true });
    this.messages = [];
    this.parser.feed(text);
    const limit = /^\s*[{[]/.test(this.unparsed || text) ? MAX_UNSTREAMED : MAX_STRAY;
    // After the last blank line.
    if (this.messages.length > 0)
      this.unparsed = text
        .slice(-MAX_STRAY)
        .split(/\r?\n\r?\n/)
        .at(-1)!;
    else if (this.unparsed.length < limit) this.unparsed += text.slice(0, limit);
    this.isBetweenEvents = text.endsWith('\n\n');
    return this.messages;
  }
}
