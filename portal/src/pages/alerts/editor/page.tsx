import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { answerOf, client } from '../../../api/client.ts';
import { EditorPage, type EditorPartProps } from '../../../editor/editor-page.tsx';
import { SendingEditor } from '../../../sending/editor.tsx';
import { useAgent } from '../../../shell/remembered.ts';
import { bind } from '../../../ui/bind.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { ALERTS, type Alert, alertQuery, invalidateAlerts } from '../alerts.ts';
import { ConditionPart } from './condition-part.tsx';
import { type AlertForm, emptyForm, formOf, requestOf, shownPaths } from './state.ts';
import { SubjectPart } from './subject-part.tsx';

const UNITS = [
  { value: 'minutes', label: 'minutes' },
  { value: 'hours', label: 'hours' },
] as const;

/** `cardId` and `metric` of the address: what is checked. */
export function NewAlert() {
  const { cardId, metric } = useSearch({ from: '/shell/alerts/new-alert' });
  const agent = useAgent();
  return (
    <EditorPage noun="alert" right="alerts:write">
      {() => <Editor key={`${cardId} ${metric}`} start={emptyForm({ cardId, metric, agent })} alert={null} />}
    </EditorPage>
  );
}

export function EditAlert() {
  const { id } = useParams({ from: '/shell/alerts/$id/edit' });
  const query = useQuery({ ...alertQuery(id), refetchInterval: false });
  return (
    <EditorPage noun="alert" right="alerts:write" query={query}>
      {(stored) => stored && <Editor key={id} start={formOf(stored.alert)} alert={stored.alert} />}
    </EditorPage>
  );
}

/** `alert` is null for a new one. */
function Editor({ start, alert }: { start: AlertForm; alert: Alert | null }) {
  return (
    <SendingEditor
      noun="alert"
      stored={alert}
      start={start}
      requestOf={requestOf}
      pathsOf={shownPaths}
      create={(body) => answerOf(client.POST(ALERTS, { body }))}
      change={(id, body) => answerOf(client.PATCH(`${ALERTS}/{id}`, { params: { path: { id } }, body }))}
      invalidate={invalidateAlerts}
      scheduled="When it is checked"
      noTargets="No target yet: the state is shown in the portal alone."
      afterTargets={(part) => <Cooldown {...part} />}
    >
      {(part) => (
        <>
          <section className="panel padded stack" aria-labelledby="subject">
            <h2 id="subject">What is checked</h2>
            <TextField
              label="Title"
              help="Messages begin with it."
              placeholder="Few orders"
              maxLength={200}
              {...bind(part).text('title')}
            />
            <SubjectPart {...part} />
          </section>
          <ConditionPart {...part} />
        </>
      )}
    </SendingEditor>
  );
}

function Cooldown({ form: { cooldown }, messages, onChange }: EditorPartProps<AlertForm>) {
  return (
    <div className="fields">
      <TextField
        label="Cool-down"
        help="After a message about a problem, only its end is sent during this time."
        inputMode="decimal"
        value={cooldown.count}
        error={messages.at('cooldown')}
        onChange={(event) => onChange({ cooldown: { ...cooldown, count: event.currentTarget.value } })}
      />
      <SelectField
        label="Unit of the cool-down"
        value={cooldown.unit}
        options={UNITS}
        onChoose={(unit) => onChange({ cooldown: { ...cooldown, unit } })}
      />
    </div>
  );
}
