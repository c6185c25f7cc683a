import { ProviderFault } from '../../core/chat/provider.ts';

/** One server-sent event. `event` is empty where it has no name. */
export interface SseMessage {
  event: string;
  data: string;
}

/** Characters of one message: images that models make come as one. What is longer never ends. */
const MAX_MESSAGE = 64 * 1024 * 1024;
const NEWLINE = 0x0a;
/** Characters kept of what is no event. */
const MAX_STRAY = 64 * 1024;

/**
 * Server-sent events out of the bytes as they come, after the WHATWG's rules: any line ends, comments, data of several
 * lines, characters and line ends cut in two. One pass, and no work twice for a line that comes in many parts.
 */
export class SseDecoder {
  private readonly utf8 = new TextDecoder();
  /** The beginning of a line whose end has not come. */
  private parts: string[] = [];
  private partial = 0;
  private endedInReturn = false;
  private isAtLineStart = true;
  private event = '';
  private data: string | null = null;
  private strayLines = '';

  /** What came and was no part of an event: a page for people, or an error in plain JSON. */
  get stray(): string {
    return this.strayLines + this.parts.join('').slice(0, MAX_STRAY);
  }

  /** Whether what comes next, if it is an event, can be read without what came before. */
  get isBetweenEvents(): boolean {
    return this.isAtLineStart && this.data === null && this.event === '';
  }

  /** The messages that these bytes complete. Throws `broken` for one that is too long. */
  push(bytes: Uint8Array): SseMessage[] {
    const messages: SseMessage[] = [];
    this.isAtLineStart = bytes.at(-1) === NEWLINE;
    let text = this.utf8.decode(bytes, { stream: true });
    if (this.endedInReturn && text !== '') {
      if (text.startsWith('\n')) text = text.slice(1);
      this.endedInReturn = false;
    }
    if (text.includes('\r')) {
      this.endedInReturn = text.endsWith('\r');
      text = text.replace(/\r\n?/g, '\n');
    }
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      this.line(this.completed(text.slice(start, end)), messages);
      start = end + 1;
    }
    if (start < text.length) this.keep(text.slice(start));
    if (this.partial + (this.data?.length ?? 0) > MAX_MESSAGE) {
      throw new ProviderFault('broken', 'The provider sent a message without an end.');
    }
    return messages;
  }

  private keep(part: string): void {
    this.parts.push(part);
    this.partial += part.length;
  }

  private completed(end: string): string {
    if (this.parts.length === 0) return end;
    const line = this.parts.join('') + end;
    this.parts = [];
    this.partial = 0;
    return line;
  }

  private line(line: string, messages: SseMessage[]): void {
    if (line === '') {
      if (this.data !== null) messages.push({ event: this.event, data: this.data });
      this.event = '';
      this.data = null;
      return;
    }
    const colon = line.indexOf(':');
    if (colon === 0) return; // A comment: it keeps the connection alive.
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') this.data = this.data === null ? value : `${this.data}\n${value}`;
    else if (field === 'event') this.event = value;
    else if (field !== 'id' && field !== 'retry' && this.strayLines.length < MAX_STRAY) {
      this.strayLines += `${line.slice(0, MAX_STRAY)}\n`;
    }
  }
}
