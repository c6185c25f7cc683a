import { useMemo } from 'react';
import { t } from '../language/index.ts';
import { Text } from './conversation/content.tsx';
import { Conversation } from './conversation/conversation.tsx';
import { messagesIn } from './conversation/messages.ts';
import { valueText } from './json.ts';
import { TitledCode } from './titled-code.tsx';

interface ValueProps {
  value: unknown;
  /** Names the conversation, if it is one. */
  label: string;
}

/** A recorded input or output: a conversation, a text, or any value as JSON. */
export function Value({ value, label }: ValueProps) {
  const messages = useMemo(() => messagesIn(value), [value]);
  if (value === null || value === undefined || value === '')
    return <p className="muted">{t('Nothing was recorded.')}</p>;
  if (typeof value === 'string') return <Text text={value} isProse />;
  if (messages !== null) return <Conversation messages={messages} label={label} />;
  return <TitledCode text={valueText(value)} title="JSON" />;
}
