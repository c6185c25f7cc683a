import { t } from '../../../language/index.ts';
import { Conversation } from '../../../transcript/conversation/conversation.tsx';
import { Value } from '../../../transcript/value.tsx';
import { Section } from '../../../ui/page-head.tsx';
import type { Execution } from '../executions.ts';
import { saysMore } from './state.ts';

/** The conversation, and the output where it says more. */
export function Transcript({ execution }: { execution: Execution }) {
  const { messages, output } = execution;
  return (
    <>
      <Section id="conversation" title={t('Conversation|messages')}>
        {messages.length > 0 ? (
          <Conversation messages={messages} />
        ) : (
          <p className="muted">{t('No messages were recorded.')}</p>
        )}
      </Section>
      {saysMore(execution) && (
        <Section id="output" title={t('Output')}>
          <Value value={output} label={t('Output')} />
        </Section>
      )}
    </>
  );
}
