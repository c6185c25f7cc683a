import { useId } from 'react';
import { t } from '../../../language/index.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import type { ToolsForm } from '../state/tools/form.ts';
import { checkedTools } from '../state/tools/text.ts';
import { AddConnectorTool } from './add-connector-tool.tsx';
import { AddStore } from './add-store.tsx';

const EXAMPLE = `[
  {
    "type": "function",
    "function": {
      "name": "find_order",
      "description": "Finds an order by its number.",
      "parameters": {
        "type": "object",
        "properties": { "number": { "type": "string" } },
        "required": ["number"]
      }
    }
  }
]`;

interface ToolFieldsProps {
  tools: ToolsForm;
  onChange(tools: ToolsForm): void;
}

/** Functions that the model may call, and what answers them. */
export function ToolFields({ tools, onChange }: ToolFieldsProps) {
  const { connectors, stores } = tools;
  const given = [
    ...connectors.map(({ tool, connector }, index) => ({
      name: tool.function.name,
      from: t('answered by the connector {connector}', { connector }),
      without: { ...tools, connectors: connectors.toSpliced(index, 1) },
    })),
    ...stores.map((store, index) => ({
      name: store,
      from: t('searched at once, with sources'),
      without: { ...tools, stores: stores.toSpliced(index, 1) },
    })),
  ];
  return (
    <fieldset className="stack chat-settings">
      <legend>{t('Tools')}</legend>
      <ToolsText text={tools.text} onChange={(text) => onChange({ ...tools, text })} />
      {given.length > 0 && (
        <ul className="panel items" aria-label={t('Connectors and vector stores')}>
          {given.map(({ name, from, without }) => (
            <li key={name} className="item">
              <div className="item-text">
                <code>{name}</code>
                <span className="small muted">{from}</span>
              </div>
              <IconButton icon="close" label={t('Remove {name}', { name })} onClick={() => onChange(without)} />
            </li>
          ))}
        </ul>
      )}
      <AddStore known={stores} onAdd={(store) => onChange({ ...tools, stores: [...stores, store] })} />
      <AddConnectorTool
        known={connectors}
        onAdd={(tool) => onChange({ ...tools, connectors: [...connectors, tool] })}
      />
    </fieldset>
  );
}

function ToolsText({ text, onChange }: { text: string; onChange(text: string): void }) {
  const id = useId();
  const { problems } = checkedTools(text);
  return (
    <>
      <Field
        label={t('Functions as JSON')}
        help={t('As OpenAI writes them. You give the results of their calls by hand.')}
      >
        {(described) => (
          <textarea
            {...described}
            className="input"
            rows={8}
            spellCheck={false}
            placeholder="[ … ]"
            value={text}
            aria-invalid={problems.length > 0}
            aria-describedby={`${described['aria-describedby']} ${id}`}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        )}
      </Field>
      <div id={id} role="status">
        {problems.map(({ line, message }) => (
          <p key={`${line} ${message}`} className="field-error">
            {t('Line {line}: {message}', { line, message })}
          </p>
        ))}
      </div>
      {text.trim() === '' && (
        <p>
          <Button onClick={() => onChange(EXAMPLE)}>{t('Begin with an example')}</Button>
        </p>
      )}
    </>
  );
}
