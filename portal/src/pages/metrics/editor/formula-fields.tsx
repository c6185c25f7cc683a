import type { EditorPartProps } from '../../../editor/editor-page.tsx';
import { MeasureFields } from '../../../question/fields/measure-fields.tsx';
import { useAgent } from '../../../shell/remembered.ts';
import { bind } from '../../../ui/bind.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { type MetricForm, namePath, newPart, type PartRow, partPath } from './state.ts';

const MAX_PARTS = 20;
const KINDS = [
  { value: 'measure', label: 'One measure of an event' },
  { value: 'formula', label: 'Arithmetic over several measures' },
] as const;

export function FormulaPart({ form, messages, onChange }: EditorPartProps<MetricForm>) {
  const agent = useAgent();
  const field = bind({ form, messages, onChange }, 'formula.');
  const { kind, measure, parts } = form;
  const change = (row: PartRow, members: Partial<PartRow>) =>
    onChange({ parts: parts.map((one) => (one === row ? { ...row, ...members } : one)) });
  return (
    <section className="panel padded stack" aria-labelledby="formula">
      <h2 id="formula">What it measures</h2>
      <SelectField label="Formula" value={kind} options={KINDS} onChoose={(chosen) => onChange({ kind: chosen })} />
      {kind === 'measure' ? (
        <MeasureFields
          form={measure}
          agent={agent}
          messages={messages}
          path="formula."
          onChange={(members) => onChange({ measure: { ...measure, ...members } })}
        />
      ) : (
        <>
          <TextField
            label="Expression"
            help="+ - * /, parentheses, numbers and the names of the parts below: resolved / started."
            {...field.text('expression')}
            maxLength={500}
            spellCheck={false}
          />
          {messages.at('formula.parts') && <p className="field-error">{messages.at('formula.parts')}</p>}
          {parts.map((part, index) => {
            const name = `part ${index + 1}`;
            return (
              <fieldset key={part.id} className="question-part stack" aria-label={`Part ${index + 1}`}>
                <div className="name-and-button">
                  <TextField
                    label={`Name of ${name}`}
                    value={part.name}
                    maxLength={50}
                    spellCheck={false}
                    error={messages.at(namePath(index)) ?? messages.at(partPath(part))}
                    onChange={(event) => change(part, { name: event.currentTarget.value })}
                  />
                  <IconButton
                    icon="close"
                    label={`Remove ${name}`}
                    disabled={parts.length === 1}
                    onClick={() => onChange({ parts: parts.filter((one) => one !== part) })}
                  />
                </div>
                <MeasureFields
                  form={part}
                  agent={agent}
                  messages={messages}
                  path={`${partPath(part)}.`}
                  of={name}
                  withRate={false}
                  onChange={(members) => change(part, members)}
                />
              </fieldset>
            );
          })}
          <div className="row">
            <Button
              icon="add"
              disabled={parts.length >= MAX_PARTS}
              onClick={() => onChange({ parts: [...parts, newPart()] })}
            >
              Add part
            </Button>
          </div>
        </>
      )}
    </section>
  );
}
