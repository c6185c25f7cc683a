import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type ComponentType, type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { serverUrl } from '../api/client.ts';
import { statusOf } from '../api/errors.ts';
import { type FieldMessages, fieldMessages } from '../api/field-messages.ts';
import { t } from '../language/index.ts';
import { useAgent } from '../shell/remembered.ts';
import type { Bound } from '../ui/bind.ts';
import { Button } from '../ui/button.tsx';
import { CodeBlock } from '../ui/copy-button.tsx';
import { Form } from '../ui/field.tsx';
import { OtherMessages } from '../ui/refusal.tsx';
import { EmptyState, ErrorNotice, Loading, QueryFault } from '../ui/states.tsx';
import { useMedia } from '../ui/use-media.ts';
import { useSetSearch } from '../ui/use-set-search.ts';
import { isAsked } from './state/asked.ts';
import { curlOf, readQuestion } from './state/text.ts';

/** The props of a question's fields. */
export interface QuestionFieldsProps<Form> extends Bound<Form> {
  agent: string | undefined;
}

interface Answered<Question, Form, Answer> {
  answer: Answer;
  question: Question;
  /** True while the answer is that of the question before. */
  isStale: boolean;
  /** Asks the question of the address with other members of its form. */
  onAsk(members: Partial<Form>): void;
}

/** A question that a page asks on its own, once it is known what there is to ask. */
export interface DefaultQuestion {
  /** Undefined while it is looked up, null if there is nothing to ask. */
  text: string | null | undefined;
  error: unknown;
  refetch(): unknown;
}

interface QuestionPageProps<Question, Form, Answer> {
  /** The page's title, and what stands beside it. */
  head: ReactNode;
  /** The question while the address has none. */
  byDefault: DefaultQuestion;
  /** A sentence on how to ask, shown while nothing is asked. */
  next: ReactNode;
  /** The endpoint and the MCP tool that answer the question. */
  path: string;
  tool: string;
  /** The authentication header, unless an API key works. */
  header?: string;
  /** True if the former answer stays until the next one arrives: both have one shape. */
  keepsAnswer?: boolean;
  formOf(text: string | undefined): Form;
  questionOf(form: Form): Question;
  /** The paths of the fields in the request: messages of the server appear at them. */
  pathsOf(form: Form): readonly string[];
  /** The form that a press of Run asks, if some of it has to change then. */
  normalized?(form: Form): Form;
  queryOf(body: Question & { agentId: string }): {
    queryKey: QueryKey;
    queryFn: (context: never) => Answer | Promise<Answer>;
  };
  fields: ComponentType<QuestionFieldsProps<Form>>;
  children(answered: Answered<Question, Form, Answer>): ReactNode;
}

/** A page that asks a question of the API: its form, its answer, and how to ask the same elsewhere. The address has the question. */
export function QuestionPage<Question extends { metric?: string; eventName?: string }, Form extends object, Answer>(
  props: QuestionPageProps<Question, Form, Answer>,
) {
  const { head, byDefault } = props;
  const { question } = useSearch({ strict: false });
  const text = question ?? byDefault.text;
  // The fields ask again for what failed: to hide them meanwhile would repeat that endlessly.
  const hasFailed = useRef(false);
  hasFailed.current ||= Boolean(byDefault.error);
  const isLookedUp = text === undefined && !hasFailed.current;
  return (
    <>
      {head}
      <div className="asking">
        {isLookedUp ? (
          <>
            <Loading height={320} />
            <Loading height={320} />
          </>
        ) : (
          <Asking {...props} text={text ?? undefined} />
        )}
      </div>
    </>
  );
}

function Asking<Question extends { metric?: string; eventName?: string }, Form extends object, Answer>({
  text,
  byDefault,
  ...props
}: QuestionPageProps<Question, Form, Answer> & { text: string | undefined }) {
  const { next, path, tool, header, keepsAnswer = false, formOf, questionOf, fields: Fields, children } = props;
  const setSearch = useSetSearch();
  const agent = useAgent();
  const [form, setForm, ask] = useForm(text, formOf, (question) => setSearch({ question }, { resetScroll: false }));
  const shown = useMemo(() => formOf(text), [text, formOf]);
  const question = useMemo(() => questionOf(shown), [shown, questionOf]);
  const body = { ...question, agentId: agent ?? '*' };
  const canAsk = isAsked(question);
  const query = { ...props.queryOf(body), enabled: canAsk, placeholderData: keepPreviousData };
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery(query as { queryKey: QueryKey });
  const messages = fieldMessages(error, props.pathsOf(shown));

  const run = () => {
    const asked = props.normalized?.(form) ?? form;
    setForm(asked);
    const wanted = JSON.stringify(questionOf(asked));
    if (wanted === text) void refetch();
    else ask(wanted);
  };
  const onAsk = (members: Partial<Form>) => {
    setForm({ ...form, ...members });
    ask(JSON.stringify(questionOf({ ...shown, ...members })));
  };
  const answer = canAsk && error === null && (keepsAnswer || !isPlaceholderData) ? (data as Answer) : undefined;
  return (
    <>
      <QuestionForm isBusy={isFetching} hasAnswer={canAsk && error === null} onRun={run}>
        <Fields
          form={form}
          agent={agent}
          messages={messages}
          onChange={(members) => setForm({ ...form, ...members })}
        />
      </QuestionForm>
      <div className="stack">
        {text === undefined && <QueryFault query={byDefault} />}
        {!canAsk && <NoQuestion text={text} next={next} />}
        {canAsk && error !== null && <QuestionFault error={error} messages={messages} onRetry={refetch} />}
        {answer !== undefined && children({ answer, question, isStale: isPlaceholderData, onAsk })}
        {canAsk && error === null && answer === undefined && <Loading height={320} />}
        {canAsk && (error !== null || answer !== undefined) && (
          <AskElsewhere question={body} path={path} tool={tool} {...(header !== undefined && { header })} />
        )}
      </div>
    </>
  );
}

/** A form that starts with the question in the address, and follows the address when it changes other than by `ask`. */
function useForm<Form>(
  text: string | undefined,
  formOf: (text: string | undefined) => Form,
  navigate: (text: string) => void,
): [form: Form, setForm: (form: Form) => void, ask: (text: string) => void] {
  const [form, setForm] = useState(() => formOf(text));
  const known = useRef(text);
  useEffect(() => {
    if (text !== known.current) setForm(formOf(text));
    known.current = text;
  }, [text, formOf]);
  const ask = (next: string) => {
    known.current = next;
    navigate(next);
  };
  return [form, setForm, ask];
}

interface QuestionFormProps {
  isBusy: boolean;
  /** In narrow windows, the form of a question that has an answer is folded: the answer comes first. */
  hasAnswer: boolean;
  onRun(): void;
  children: ReactNode;
}

/** Runs by its button, by Enter in a text field, and by Ctrl+Enter (Cmd+Enter on a Mac) anywhere in it. */
function QuestionForm({ isBusy, hasAnswer, onRun, children }: QuestionFormProps) {
  const isWide = useMedia('(min-width: 1101px)');
  const [isOpen, setOpen] = useState(false);
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    onRun();
  };
  return (
    <details
      className="panel question"
      open={isWide || isOpen || !hasAnswer}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{t('Change the question')}</summary>
      <Form
        className="padded stack"
        aria-label={t('Question')}
        noValidate={false}
        onSubmit={onRun}
        onKeyDown={onKeyDown}
      >
        {children}
        <div className="row">
          <Button type="submit" look="primary" icon="play" aria-busy={isBusy}>
            {t('Run')}
          </Button>
          <span className="small muted">{isBusy ? t('Running …') : t('or Ctrl+Enter')}</span>
        </div>
      </Form>
    </details>
  );
}

/** Shown instead of an answer while no event and no metric is chosen. */
function NoQuestion({ text, next }: { text: string | undefined; next: ReactNode }) {
  const isUnreadable = text !== undefined && readQuestion(text) === null;
  return (
    <div className="panel">
      <EmptyState title={isUnreadable ? t('The question in the address is not a JSON object') : t('No question yet')}>
        <p>{next}</p>
      </EmptyState>
    </div>
  );
}

interface QuestionFaultProps {
  error: unknown;
  messages: FieldMessages;
  onRetry(): void;
}

/** Shown instead of an answer, with the messages that have no field in the form. */
function QuestionFault({ error, messages, onRetry }: QuestionFaultProps) {
  if (statusOf(error) !== 400) return <ErrorNotice error={error} onRetry={onRetry} />;
  const { others } = messages;
  const hint = t('The question cannot be answered like this. The field to change has a message.');
  return <OtherMessages messages={others.length > 0 ? others : [hint]} />;
}

const WAYS = [
  { value: 'mcp', label: 'MCP' },
  { value: 'rest', label: 'REST' },
  { value: 'json', label: 'JSON' },
] as const;

interface AskElsewhereProps {
  question: object;
  /** The path of the endpoint that answers the question. */
  path: string;
  /** The MCP tool that answers the question. */
  tool: string;
  /** The authentication header, unless an API key works. */
  header?: string;
}

/** The page's question as an MCP call, a shell command and JSON. */
function AskElsewhere({ question, path, tool, header }: AskElsewhereProps) {
  const [way, setWay] = useState<(typeof WAYS)[number]['value']>('mcp');
  const json = JSON.stringify(question);
  const shown: Record<typeof way, [text: string, label: string]> = {
    mcp: [t('Call {tool} {json} and tell me what it says.', { tool, json }), t('The question for an agent')],
    rest: [curlOf(serverUrl + path, question, header), t('The command for a shell')],
    json: [JSON.stringify(question, null, 2), t('The question as JSON')],
  };
  const [text, label] = shown[way];
  return (
    <section className="panel padded stack tight" aria-label={t('Ask elsewhere')}>
      <h2>{t('Ask elsewhere')}</h2>
      {/* Buttons: the library's tabs weigh more than the whole form. */}
      <fieldset className="row" aria-label={t('Where to ask')}>
        {WAYS.map(({ value, label: name }) => (
          <Button key={value} aria-pressed={value === way} onClick={() => setWay(value)}>
            {name}
          </Button>
        ))}
      </fieldset>
      {way === 'mcp' && (
        <p className="small muted">{t('An agent that is connected to Agent Runtime takes this as it is.')}</p>
      )}
      <CodeBlock text={text} label={label} />
    </section>
  );
}
