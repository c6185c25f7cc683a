import { Link } from '@tanstack/react-router';
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

const BASIS = { sent: 'as it was sent', priced: 'by the public prices of the model' };
const SOURCES = { api: 'The API', chat: 'The chat endpoint of this server' };

/** Whose it is, what it cost and took, and what the sender said of it. */
export function ExecutionFacts({ execution }: { execution: Execution }) {
  const { id, agentId, userId, threadId, parentId, status, errorKind, provider, model, tags } = execution;
  const { costBasis, startedAt, completedAt, createdAt, source, metadata, chat, inputTokens, outputTokens } = execution;
  const { latency, tokens, cost } = figuresOf({ ...execution, costBasis: null }, navigator.language);
  const members = Object.keys(metadata).length;
  return (
    <Section id="facts" title="Facts" className="panel padded stack tight">
      <Facts
        label="Facts"
        facts={{
          Status: (
            <span className="row">
              <Badge tone={statusOf(status).tone}>{statusOf(status).label}</Badge>
              {errorKind !== null && <bdi className="bad-text">{errorKind}</bdi>}
            </span>
          ),
          Agent: <bdi>{agentId}</bdi>,
          User: userId !== null && (
            <Link to="/executions" search={{ userId }}>
              <bdi>{userId}</bdi>
            </Link>
          ),
          Thread: threadId !== null && (
            <Link to="/threads/$id" params={{ id: threadId }}>
              <bdi>{threadId}</bdi>
            </Link>
          ),
          Parent: parentId !== null && (
            <Link to="/executions/$id" params={{ id: parentId }}>
              <bdi>{parentId}</bdi>
            </Link>
          ),
          Model: (model ?? provider) !== null && <bdi>{[provider, model].filter(Boolean).join(' / ')}</bdi>,
          Cost: cost !== null && `${cost}${costBasis === null ? '' : `, ${BASIS[costBasis]}`}`,
          Tokens: tokens !== null && (
            <>
              {tokens}
              {inputTokens !== null && outputTokens !== null && (
                <span className="small muted">
                  {' '}
                  {inputTokens.toLocaleString()} in, {outputTokens.toLocaleString()} out
                </span>
              )}
            </>
          ),
          Latency: latency,
          Started: <Time iso={startedAt ?? createdAt} />,
          Ended: completedAt !== null && <Time iso={completedAt} />,
          Tags: tags.length > 0 && (
            <span className="row">
              {tags.map((tag) => (
                <Link key={tag} to="/executions" search={{ tag }}>
                  <bdi>{tag}</bdi>
                </Link>
              ))}
            </span>
          ),
          'Came by': SOURCES[source],
          Id: <code>{id}</code>,
        }}
      />
      {members > 0 && (
        <Folded summary={`Metadata, ${members} ${members === 1 ? 'member' : 'members'}`}>
          {() => <TitledCode text={valueText(metadata)} title="JSON" />}
        </Folded>
      )}
      {chat && <Folded summary="Facts of the chat">{() => <ChatFacts chat={chat} />}</Folded>}
    </Section>
  );
}

function ChatFacts({ chat }: { chat: NonNullable<Execution['chat']> }) {
  const { projectId, providerName, finishReason, timeToFirstTokenMs, providerRequestId, attempts, fallback } = chat;
  const { droppedParams, error } = chat;
  return (
    <Facts
      label="Facts of the chat"
      facts={{
        Project: <bdi>{projectId}</bdi>,
        Provider: providerName !== null && <bdi>{providerName}</bdi>,
        Finished: finishReason?.replaceAll('_', ' '),
        'First token': timeToFirstTokenMs !== null && durationText(timeToFirstTokenMs, navigator.language),
        Attempts: `${attempts}${fallback ? ', answered by a fallback' : ''}`,
        'Left out': droppedParams.length > 0 && <bdi>{droppedParams.join(', ')}</bdi>,
        Error: error && (
          <bdi>{`${error.kind}: ${error.message}${error.status === null ? '' : ` (${error.status})`}`}</bdi>
        ),
        Request: providerRequestId !== null && <code>{providerRequestId}</code>,
      }}
    />
  );
}
