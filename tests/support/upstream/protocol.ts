import type { Vendor } from '../../../src/core/agents/chat/capabilities.ts';
import type { Answer, ErrorKind, Wire } from './outcomes.ts';

/** A request, as far as its answer depends on it. */
export interface Exchange {
  vendor: Vendor;
  model: string;
  /** From 1; what makes ids differ. */
  number: number;
  /** As the vendor names it in its headers; null where it does not. */
  requestId: string | null;
  /** Whether `stream_options` asks for usage. */
  wantsUsage: boolean;
}

/** One event of a stream, before it is bytes. */
export interface Message {
  name: string | null;
  /** JSON, or, as a string, exactly these characters. */
  data: object | string;
  /** How it differs from an event: Amazon's exceptions and errors; and a line that is no field, as Google sends one. */
  form?: 'exception' | 'error' | 'bare';
}

/** An answer as its protocol tells it. */
export interface Transcript {
  opening: Message[];
  /** As many as the answer has pieces; of pauses empty. */
  pieces: Message[][];
  closing: Message[];
}

export interface Protocol {
  contentType: string;
  transcript(answer: Answer, exchange: Exchange): Transcript;
  /** An error within a stream. */
  error(kind: ErrorKind, exchange: Exchange): Message;
  /** The vendor's other way to say so, where there is one. */
  failure?(exchange: Exchange): Message | null;
  encode(message: Message, wire: Wire): Buffer;
}

/** Seconds since 1970, as vendors date their answers. */
export const CREATED = 1_795_000_000;

/** Text in so many parts, none of them empty; fewer when it is shorter. */
export function partsOf(text: string, count: number): string[] {
  const characters = [...text];
  const size = Math.max(1, Math.ceil(characters.length / count));
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, index) =>
    characters.slice(index * size, (index + 1) * size).join(''),
  );
}

/** The call's own id, or one that only it has. */
export function callId(id: string | undefined, { number }: Exchange, index: number): string {
  return id ?? `call_fake${number}x${index}`;
}
