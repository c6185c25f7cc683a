import { useEffect, useMemo, useRef, useState } from 'react';
import type { Schemas } from '../../api/schemas.ts';
import { keepConversation, keptConversation } from './draft.ts';
import { type Conversation, edited, newConversation, type Place } from './state/conversation.ts';
import { firstSide, type Source } from './state/sides.ts';
import { newThreadId, Talk } from './talk.ts';

type ChatRequest = Schemas['ChatRequest'];

const KEEP_AFTER_MS = 300;

/** The actions of people on a conversation. */
export interface ChatActions {
  change(members: Partial<Conversation> | ((before: Conversation) => Conversation)): void;
  /** Sends the composed message to each side. */
  send(): void;
  stop(): void;
  edit(exchange: number): void;
  /** Asks again where an answer failed or was stopped. */
  ask(place: Place): void;
  answer(place: Place, call: number, result: string): void;
  /** Has the connector or the store answer a call. */
  run(place: Place, call: number): Promise<void>;
  /** Begins a new conversation. */
  begin(): void;
  /** The request of a round, as it was sent. */
  requestAt(place: Place, round: number): ChatRequest;
}

/** The conversation of this browser. */
export function useChat(userId: string, sources: readonly Source[]) {
  const [conversation, setConversation] = useState(
    () => keptConversation(userId) ?? newConversation(newThreadId(), sources.slice(0, 1).map(firstSide)),
  );
  const latest = useRef(conversation);
  const [talk] = useState(() => new Talk(latest, setConversation));
  talk.sources = sources;
  const isKept = useKept(userId, conversation, latest);
  useEffect(() => () => talk.stop(), [talk]);
  const actions = useMemo<ChatActions>(
    () => ({
      change: (to) => talk.update(typeof to === 'function' ? to : (before) => ({ ...before, ...to })),
      send: thenWrite(() => talk.send()),
      stop: thenWrite(() => talk.stop()),
      edit: thenWrite((exchange: number) => talk.update((before) => edited(before, exchange))),
      ask: thenWrite((place: Place) => void talk.ask(place)),
      answer: thenWrite((place: Place, call: number, result: string) => talk.answer(place, call, result)),
      run: (place, call) => talk.run(place, call).then(focusMessage),
      begin: thenWrite(() => talk.begin()),
      requestAt: (place, round) => talk.requestAt(place, round),
    }),
    [talk],
  );
  return { conversation, actions, isKept };
}

/** The button that acted may be gone: the focus goes to the message. */
function thenWrite<Given extends unknown[]>(act: (...given: Given) => void): (...given: Given) => void {
  return (...given) => {
    act(...given);
    focusMessage();
  };
}

export function focusMessage(): void {
  document.querySelector<HTMLElement>('.chat-composer textarea')?.focus();
}

/** Keeps the conversation once it rests, and when the page is left. False if the browser cannot. */
function useKept(userId: string, conversation: Conversation, latest: { current: Conversation }): boolean {
  const [isKept, setKept] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setKept(keepConversation(userId, conversation)), KEEP_AFTER_MS);
    return () => clearTimeout(timer);
  }, [userId, conversation]);
  useEffect(() => {
    const keep = () => void keepConversation(userId, latest.current);
    window.addEventListener('pagehide', keep);
    return () => {
      window.removeEventListener('pagehide', keep);
      keep();
    };
  }, [userId, latest]);
  return isKept;
}
