import { type ReactNode, useMemo, useState } from 'react';
import { t } from '../../language/index.ts';
import { Button } from '../../ui/button.tsx';
import { Folded } from '../../ui/folded.tsx';
import { Badge } from '../../ui/item-list.tsx';
import { LongText } from '../long-text.tsx';
import { TitledCode } from '../titled-code.tsx';
import { Content } from './content.tsx';
import type { Message } from './messages.ts';
import { type Call, roleWords, type Turn, turnLine, turnsOf } from './turns.ts';

/** Turns that are shown at first, and with each press on the button for more. */
const SHOWN = 20;

interface ConversationProps {
  messages: readonly Message[];
  /** Names the list. */
  label?: string;
}

/** A conversation as people read it, oldest first; of a long one the last turns. */
export function Conversation({ messages, label = t('Conversation|messages') }: ConversationProps) {
  const turns = useMemo(() => turnsOf(messages), [messages]);
  const [shown, setShown] = useState(SHOWN);
  const earlier = Math.max(0, turns.length - shown);
  return (
    <div className="stack">
      {earlier > 0 && (
        <p>
          <Button onClick={() => setShown(shown + SHOWN)}>
            {t.count(Math.min(SHOWN, earlier), 'Show {count} earlier of {total}', 'Show {count} earlier of {total}', {
              total: earlier,
            })}
          </Button>
        </p>
      )}
      <ol className="conversation" aria-label={label}>
        {turns.slice(earlier).map((turn) => (
          <li key={turn.index} className={`turn of-${turn.role === 'user' ? 'user' : 'others'}`}>
            <TurnContent turn={turn} />
          </li>
        ))}
      </ol>
    </div>
  );
}

function TurnContent({ turn }: { turn: Turn }) {
  const { role, name, reasoning, parts, calls } = turn;
  const who = (
    <strong>
      <bdi>{roleWords(role)}</bdi>
      {name !== null && (
        <span className="muted">
          {' '}
          <bdi>{name}</bdi>
        </span>
      )}
    </strong>
  );
  const content = () => <Content parts={parts} isProse={role !== 'tool'} />;
  if (['system', 'developer', 'tool'].includes(role)) {
    return <Folded summary={<Summary title={who} line={turnLine(turn)} />}>{content}</Folded>;
  }
  return (
    <div className="stack tight">
      <p>{who}</p>
      {reasoning !== null && (
        <Folded summary={t.count(reasoning.length, 'Reasoning, {count} character', 'Reasoning, {count} characters')}>
          {() => <LongText text={reasoning} />}
        </Folded>
      )}
      {content()}
      {parts.length + calls.length === 0 && <p className="muted">{t('Nothing was said.')}</p>}
      {calls.map((call, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: ids of calls may be repeated
        <ToolCall key={index} call={call} />
      ))}
    </div>
  );
}

function Summary({ title, line }: { title: ReactNode; line: string }) {
  return (
    <span className="summary-line">
      {title} <bdi className="muted small">{line}</bdi>
    </span>
  );
}

/** A call of a tool, with its result. */
function ToolCall({ call }: { call: Call }) {
  const { name, summary, arguments: given, isJson, result } = call;
  const title = (
    <>
      <bdi className="tool-name">{name}</bdi>
      {!isJson && <Badge tone="bad">{t('Broken JSON')}</Badge>}
      {result === null && <Badge tone="muted">{t('No result')}</Badge>}
    </>
  );
  return (
    <Folded className="folded tool-call" summary={<Summary title={title} line={summary} />}>
      {() => (
        <>
          {isJson ? (
            given.trim() !== '' && <TitledCode text={given} title={t('Arguments')} />
          ) : (
            <>
              <p className="bad-text">{t('The arguments are not JSON. They are shown as the model wrote them.')}</p>
              <TitledCode text={given} title={t('Arguments')} />
            </>
          )}
          <p className="muted small">{result === null ? t('No result was recorded.') : t('Result')}</p>
          {result !== null && <Content parts={result} isProse={false} />}
        </>
      )}
    </Folded>
  );
}
