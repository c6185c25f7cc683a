import { createParser } from 'eventsource-parser';
import { ProviderFault } from '../../core/chat/provider.ts';

/** One server-sent event. `event` is empty where it has no name. */
export interface SseMessage {
  event: string;
  data: string;
}

/** Characters of one message: images from models arrive as one. A longer message is taken for an endless one. */
const MAX_MESSAGE = 64 * 1024 * 1024;
/** Characters of text outside events that are stored. */
const MAX_STRAY = 64 * 1024;
/** A line of an event, a comment or a blank line. */
const EVENT_LINE = /^(data|event|id|retry)?(:|$)/;

/** Decodes server-sent events from bytes in arbitrary chunks. */
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
  /** Text since the last event, which the parser drops unless it belongs to one. */
  private unparsed = '';

  /** True right after a blank line: the next event can be read without the bytes before it. */
  isBetweenEvents = false;

  /** Text outside events: an HTML page, or an error in plain JSON. */
  get stray(): string {
    const lines = this.unparsed.split(/\r\n?|\n/);
    return lines.filter((line) => !EVENT_LINE.test(line)).join('\n');
  }

  /** The messages that these bytes complete. Throws `broken` for one that is too long. */
  push(bytes: Uint8Array): SseMessage[] {
    const text = this.utf8.decode(bytes, { stream: true });
    this.messages = [];
    this.parser.feed(text);
    if (this.messages.length > 0) this.unparsed = text.slice(text.lastIndexOf('\n\n') + 1).slice(0, MAX_STRAY);
    else if (this.unparsed.length < MAX_STRAY) this.unparsed += text.slice(0, MAX_STRAY);
    this.isBetweenEvents = text.endsWith('\n\n');
    return this.messages;
  }
}
