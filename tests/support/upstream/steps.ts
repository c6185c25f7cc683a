import { type After, answerOf, type Fault, type Outcome, type Piece } from './outcomes.ts';
import type { Exchange, Message, Protocol } from './protocol.ts';

/** What is to be done for an answer, one after the other. The last is one of end, cut and hang. */
export type Step =
  | { type: 'send'; message: Message; badChecksum?: boolean }
  | { type: 'pause'; ms: number }
  | { type: 'hold' }
  | { type: 'end' }
  | { type: 'cut' }
  | { type: 'hang' };

type FaultWithin = Extract<Fault, { after: After }>;

/** The steps of an outcome whose response is 200 and a stream. */
export function* stepsOf(outcome: Outcome, protocol: Protocol, exchange: Exchange): Generator<Step> {
  const { fault } = outcome;
  if (fault?.type === 'endless') {
    yield* endless(protocol, exchange);
    return;
  }
  const answer = answerOf(outcome);
  const transcript = protocol.transcript(answer, exchange);
  const opening = transcript.opening.map(send);
  const pieces = transcript.pieces.map((messages, index) => stepsOfPiece(answer.pieces[index]!, messages));
  const closing = transcript.closing.map(send);

  if (!fault || !('after' in fault)) {
    yield* [...opening, ...pieces.flat(), ...closing, { type: 'end' } as const];
    return;
  }
  const { after } = fault;
  const whole = after === 'headers' ? 0 : after;
  yield* after === 'headers' ? [] : [...opening, ...pieces.slice(0, whole).flat()];
  const rest = [...(after === 'headers' ? opening : []), ...pieces.slice(whole).flat(), ...closing];
  yield* faulty(fault, rest, protocol, exchange);
}

function faulty(fault: FaultWithin, rest: Step[], protocol: Protocol, exchange: Exchange): Step[] {
  switch (fault.type) {
    case 'cut':
      return [{ type: 'cut' }];
    case 'hang':
      return [{ type: 'hang' }];
    case 'earlyEnd':
      return [{ type: 'end' }];
    case 'errorEvent':
      return [send(saying(protocol.error(fault.kind ?? 'server', exchange), fault.message)), { type: 'end' }];
    case 'failure': {
      const message = protocol.failure?.(exchange);
      if (!message) throw new Error(`${exchange.vendor} has no second form of an error`);
      return [send(saying(message, fault.message)), { type: 'end' }];
    }
    case 'badJson':
      return [...spoilFirst(rest, ({ message }) => send(brokenOff(message))), { type: 'end' }];
    case 'badChecksum':
      if (exchange.vendor !== 'bedrock') throw new Error('only frames of Bedrock have checksums');
      return [...spoilFirst(rest, (step) => ({ ...step, badChecksum: true })), { type: 'end' }];
  }
}

/** The same error in other words, wherever its vendor puts them. */
function saying(message: Message, words: string | undefined): Message {
  if (words === undefined) return message;
  const { data } = message;
  if (typeof data === 'string') return { ...message, data: words };
  const isText = (key: string, value: unknown) => typeof value === 'string' && (key === 'message' || key === 'error');
  const said = JSON.stringify(data, (key, value) => (isText(key, value) ? words : value));
  return { ...message, data: JSON.parse(said) };
}

type Send = Extract<Step, { type: 'send' }>;

function send(message: Message): Send {
  return { type: 'send', message };
}

function stepsOfPiece(piece: Piece, messages: Message[]): Step[] {
  if (piece.type === 'pause' || piece.type === 'hold') return [piece];
  return messages.map(send);
}

function spoilFirst(steps: Step[], spoil: (step: Send) => Step): Step[] {
  const at = steps.findIndex(({ type }) => type === 'send');
  return steps.map((step, index) => (index === at && step.type === 'send' ? spoil(step) : step));
}

function brokenOff({ data, ...message }: Message): Message {
  const json = JSON.stringify(data);
  return { ...message, data: json.slice(0, json.length / 2) };
}

/** A text of 1 KB, again and again. */
function* endless(protocol: Protocol, exchange: Exchange): Generator<Step> {
  const text = { type: 'text' as const, text: 'flood '.repeat(170) };
  const { opening, pieces } = protocol.transcript(answerOf({ pieces: [text, text] }), exchange);
  const [first = [], again = []] = pieces;
  yield* [...opening, ...first].map(send);
  for (;;) yield* again.map(send);
}
