import type { Exchange, Place, Round } from '../state/conversation.ts';
import type { ToolsForm } from '../state/tools/form.ts';
import type { ChatActions } from '../use-chat.ts';

export interface ExchangeProps {
  exchange: Exchange;
  index: number;
  /** False once another message follows. */
  isNewest: boolean;
  tools: ToolsForm;
  actions: ChatActions;
  /** False while a model answers. */
  mayChange: boolean;
  /** The execution whose review is open. */
  reviewed: string | null;
  onReview(executionId: string | null): void;
}

export interface RoundProps extends ExchangeProps {
  round: Round;
  place: Place;
  /** Its place among the rounds of the answer. */
  number: number;
  isLast: boolean;
}
