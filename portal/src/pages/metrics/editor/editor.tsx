import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { client } from '../../../api/client.ts';
import { messagesByField, statusOf } from '../../../api/errors.ts';
import { NO_MESSAGES, placeMessages } from '../../../question/messages.ts';
import { Button } from '../../../ui/button.tsx';
import { LeaveGuard } from '../../../ui/leave-guard.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { ErrorNotice } from '../../../ui/states.tsx';
import { announce } from '../../../ui/toast.tsx';
import { forgetMetrics, METRICS, type Metric } from '../metrics.ts';
import { FormatPart, MeaningPart } from './fields.tsx';
import { FormulaPart } from './formula-fields.tsx';
import { changeOf, creationOf, type MetricForm, partFaults, shownPaths } from './state.ts';

interface EditorProps {
  start: MetricForm;
  /** Null for a new metric. */
  metric: Metric | null;
  children?: ReactNode;
}

/** The form of a metric. */
export function Editor({ start, metric, children }: EditorProps) {
  const navigate = useNavigate();
  const [form, setForm] = useState(start);
  const [error, setError] = useState<unknown>(null);
  const [names, setNames] = useState<ReadonlyMap<number, string>>(new Map());
  const [isBusy, setBusy] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  const isInvalid = statusOf(error) === 400;
  const messages = isInvalid ? placeMessages(messagesByField(error), shownPaths(form)) : NO_MESSAGES;

  const [saved] = useState(() => JSON.stringify(changeOf(start)));
  const isDirty = useRef(false);
  isDirty.current = JSON.stringify(changeOf(form)) !== saved;
  useEffect(() => {
    if (error !== null || names.size > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error, names]);

  const change = (members: Partial<MetricForm>) => {
    setError(null);
    setNames(new Map());
    setForm({ ...form, ...members });
  };
  const save = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const faults = partFaults(form);
    setNames(faults);
    if (faults.size > 0) return;
    setBusy(true);
    setError(null);
    try {
      const proposed = await send(form, metric);
      isDirty.current = false;
      await navigate({ to: '/metrics/$name', params: { name: proposed.name } });
      await forgetMetrics();
      announce(`Version ${proposed.latestVersion} of “${proposed.name}” is proposed`);
    } catch (fault) {
      setError(fault);
      setBusy(false);
    }
  };

  return (
    <form ref={element} className="narrow" noValidate onSubmit={save} aria-label="The metric">
      <PageHead title={metric === null ? 'New metric' : `Edit ${metric.title}`}>
        <Button type="submit" look="primary" disabled={isBusy}>
          {metric === null ? 'Propose metric' : 'Propose version'}
        </Button>
      </PageHead>
      <div className="stack">
        {children}
        {error !== null && !isInvalid && <ErrorNotice error={error} />}
        {messages.others.length > 0 && (
          <ul className="notice bad" role="alert">
            {messages.others.map((message) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        )}
        <MeaningPart form={form} messages={messages} isNew={metric === null} onChange={change} />
        <FormulaPart form={form} messages={messages} names={names} onChange={change} />
        <FormatPart form={form} messages={messages} onChange={change} />
      </div>
      <LeaveGuard what="metric" isDirty={() => isDirty.current} />
    </form>
  );
}

async function send(form: MetricForm, metric: Metric | null): Promise<Metric> {
  const { data, error } =
    metric === null
      ? await client.POST(METRICS, { body: creationOf(form) })
      : await client.PATCH(`${METRICS}/{name}`, { params: { path: { name: metric.name } }, body: changeOf(form) });
  if (!data) throw error;
  return data.metric;
}
