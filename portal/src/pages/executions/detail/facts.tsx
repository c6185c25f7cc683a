import { Link } from '@tanstack/react-router';
import { t } from '../../../language/index.ts';
import { durationText } from '../../../transcript/figures.ts';
import { valueText } from '../../../transcript/json.ts';
import { TitledCode } from '../../../transcript/titled-code.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Folded } from '../../../ui/folded.tsx';
import { Badge } from '../../../ui/item-list.tsx';
import { Section } from '../../../ui/page-head.tsx';
import { Time } from '../../../ui/time.tsx';
import type { Execution } from '../executions.ts';
import { figuresOf, statusOf } from '../words.ts';

const COSTS = { sent: '{cost}, as it was sent', priced: '{cost}, by the public prices of the model' } as const;
const SOURCES = { api: t('The API'), chat: t('The chat endpoint of this server') };
const FINISH_REASONS = {
  stop: t('stop|an answer'),
  length: t('length|an answer'),
  tool_calls: t('tool calls|an answer'),
  content_filter: t('content filter|an answer'),
  other: t('other|an answer'),
};

/** Whose it is, what it cost and took, and what the sender said of it. */
export function ExecutionFacts({ execution }: { execution: Execution }) {
  const { id, agentId, userId, threadId, parentId, status, errorKind, provider, model, tags } = execution;
  const { costBasis, startedAt, completedAt, createdAt, source, metadata, chat, inputTokens, outputTokens } = execution;
  const { latency, tokens, cost } = figuresOf({ ...execution, costBasis: null });
  const members = Object.keys(metadata).length;
  return (
    <Section id="facts" title={t('Facts')} className="panel padded stack tight">
      <Facts
        label={t('Facts')}
        facts={{
          [t('Status')]: (
            <span className="row">
              <Badge tone={statusOf(status).tone}>{statusOf(status).label}</Badge>
              {errorKind !== null && <bdi className="bad-text">{errorKind}</bdi>}
            </span>
          ),
          [t('Agent')]: <bdi>{agentId}</bdi>,
          [t('User')]: userId !== null && (
            <Link to="/executions" search={{ userId }}>
              <bdi>{userId}</bdi>
            </Link>
          ),
          [t('Thread')]: threadId !== null && (
            <Link to="/threads/$id" params={{ id: threadId }}>
              <bdi>{threadId}</bdi>
            </Link>
          ),
          [t('Parent|an execution')]: parentId !== null && (
            <Link to="/executions/$id" params={{ id: parentId }}>
              <bdi>{parentId}</bdi>
            </Link>
          ),
          [t('Model')]: (model ?? provider) !== null && <bdi>{[provider, model].filter(Boolean).join(' / ')}</bdi>,
          [t('Cost')]: cost !== null && (costBasis === null ? cost : t(COSTS[costBasis], { cost })),
          [t('Tokens')]: tokens !== null && (
            <>
              {tokens}
              {inputTokens !== null && outputTokens !== null && (
                <span className="small muted">
                  {' '}
                  {t('{input} in, {output} out', { input: inputTokens, output: outputTokens })}
                </span>
              )}
            </>
          ),
          [t('Latency')]: latency,
          [t('Started|an execution')]: <Time iso={startedAt ?? createdAt} />,
          [t('Ended|an execution')]: completedAt !== null && <Time iso={completedAt} />,
          [t('Tags')]: tags.length > 0 && (
            <span className="row">
              {tags.map((tag) => (
                <Link key={tag} to="/executions" search={{ tag }}>
                  <bdi>{tag}</bdi>
                </Link>
              ))}
            </span>
          ),
          [t('Came by')]: SOURCES[source],
          [t('Id')]: <code>{id}</code>,
        }}
      />
      {members > 0 && (
        <Folded summary={t.count(members, 'Metadata, {count} member', 'Metadata, {count} members')}>
          {() => <TitledCode text={valueText(metadata)} title="JSON" />}
        </Folded>
      )}
      {chat && <Folded summary={t('Facts of the chat')}>{() => <ChatFacts chat={chat} />}</Folded>}
    </Section>
  );
}

function ChatFacts({ chat }: { chat: NonNullable<Execution['chat']> }) {
  const { projectId, providerName, finishReason, timeToFirstTokenMs, providerRequestId, attempts, fallback } = chat;
  const { droppedParams, error } = chat;
  return (
    <Facts
      label={t('Facts of the chat')}
      facts={{
        [t('Project')]: <bdi>{projectId}</bdi>,
        [t('Provider')]: providerName !== null && <bdi>{providerName}</bdi>,
        [t('Finished|an answer')]: finishReason && FINISH_REASONS[finishReason],
        [t('First token')]: timeToFirstTokenMs !== null && durationText(timeToFirstTokenMs),
        [t('Attempts')]: fallback ? t('{attempts}, answered by a fallback', { attempts }) : attempts,
        [t('Left out|parameters')]: droppedParams.length > 0 && <bdi>{droppedParams.join(', ')}</bdi>,
        [t('Error')]: error && (
          <bdi>{`${error.kind}: ${error.message}${error.status === null ? '' : ` (${error.status})`}`}</bdi>
        ),
        [t('Request')]: providerRequestId !== null && <code>{providerRequestId}</code>,
      }}
    />
  );
}
