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
      <Section id="conversation" title="Conversation">
        {messages.length > 0 ? (
          <Conversation messages={messages} />
        ) : (
          <p className="muted">No messages were recorded.</p>
        )}
      </Section>
      {saysMore(execution) && (
        <Section id="output" title="Output">
          <Value value={output} label="Output" />
        </Section>
      )}
    </>
  );
}
