import { type RefObject, useState } from 'react';
import { Field } from '../../ui/field.tsx';
import { formOfJson, jsonOf } from './json.ts';
import type { CardForm } from './state.ts';

interface Typed {
  text: string;
  fault?: string;
  /** The form as JSON, when the text was typed. */
  json: string;
}

interface JsonPanelProps {
  form: CardForm;
  /** Is set to true while the text is no card. */
  hasFault: RefObject<boolean>;
  onChange(form: CardForm, title?: string): void;
}

/** The card as JSON, to read, copy and change. The form follows the text whenever the text is a valid card. */
export function JsonPanel({ form, hasFault, onChange }: JsonPanelProps) {
  const [typed, setTyped] = useState<Typed>();
  const json = jsonOf(form);
  // A change of the form replaces the text.
  const current = typed?.json === json ? typed : undefined;
  hasFault.current = current?.fault !== undefined;
  const change = (text: string) => {
    const read = formOfJson(text);
    if ('fault' in read) {
      setTyped({ text, fault: read.fault, json });
      return;
    }
    setTyped({ text, json: jsonOf(read.form) });
    onChange(read.form, read.title);
  };
  return (
    <details className="panel card-json">
      <summary>JSON</summary>
      <Field
        label="The card as JSON"
        help="As the API and MCP take it. A change here changes the form, too."
        error={current?.fault}
      >
        {(props) => (
          <textarea
            className="input"
            rows={14}
            spellCheck={false}
            value={current?.text ?? json}
            onChange={(event) => change(event.currentTarget.value)}
            {...props}
          />
        )}
      </Field>
    </details>
  );
}
