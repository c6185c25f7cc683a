import type { ClipboardEvent, KeyboardEvent } from 'react';
import { t } from '../../../language/index.ts';
import { Button } from '../../../ui/button.tsx';
import { Form, TextArea } from '../../../ui/field.tsx';
import { type Composed, type Conversation, NOTHING_COMPOSED } from '../state/conversation.ts';
import type { Source } from '../state/sides.ts';
import type { ChatActions } from '../use-chat.ts';
import { Attachments, useAttach } from './attachments.tsx';

interface ComposerProps {
  conversation: Conversation;
  sources: readonly Source[];
  actions: ChatActions;
  isRunning: boolean;
  /** Why the settings cannot be sent. */
  problem: string | null;
}

/** The message that a person writes, and the buttons that send it and stop the answers. */
export function Composer({ conversation, sources, actions, isRunning, problem }: ComposerProps) {
  const { composed, sides } = conversation;
  const change = (members: Partial<Composed>) =>
    actions.change((before) => ({ ...before, composed: { ...before.composed, ...members } }));
  const attach = useAttach({ conversation, sources, change });
  const isEmpty = composed.text.trim() === '' && composed.parts.length === 0;
  const reason =
    problem ??
    (sides.some(({ model }) => model.trim() === '')
      ? t('Name a model first.')
      : isEmpty
        ? t('Write a message first.')
        : null);
  const send = () => {
    if (reason === null && !isRunning) actions.send();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isRunning) actions.stop();
    else if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) send();
    else return;
    event.preventDefault();
  };
  const onPaste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files];
    if (files.length === 0) return;
    event.preventDefault();
    void attach.add(files);
  };
  return (
    <Form className="chat-composer panel padded stack" aria-label={t('New message')} onSubmit={send}>
      {composed.replaces !== null && (
        <p className="notice row" role="status">
          {t('You edit an earlier message: sent again, it replaces all that followed.')}
          <Button onClick={() => change(NOTHING_COMPOSED)}>{t('Cancel')}</Button>
        </p>
      )}
      <TextArea
        label={t('Message')}
        help={t('Enter sends it, Shift+Enter begins a new line, Escape stops the answer.')}
        dir="auto"
        rows={2}
        value={composed.text}
        onChange={(event) => change({ text: event.currentTarget.value })}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      <Attachments parts={composed.parts} attach={attach} onRemove={(parts) => change({ parts })}>
        {isRunning ? (
          <Button look="danger" onClick={actions.stop}>
            {t('Stop')}
          </Button>
        ) : (
          <Button type="submit" look="primary" reason={reason ?? undefined}>
            {t('Send')}
          </Button>
        )}
      </Attachments>
      <p className="visually-hidden" role="status">
        {isRunning ? t('The answer comes.') : conversation.exchanges.length > 0 && t('The answer has ended.')}
      </p>
    </Form>
  );
}
