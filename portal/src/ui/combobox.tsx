import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { t } from '../language/index.ts';
import { Field } from './field.tsx';

/** Typing finds the other suggestions. */
const MAX_SHOWN = 100;
const MARGIN_PX = 12;

export interface Suggestion {
  value: string;
  /** Shown in place of the value, with `detail` below; typing finds it by both. */
  title?: string;
  detail?: string | undefined;
  /** Shown at the side, such as the number of occurrences. */
  aside?: string;
}

interface ComboboxProps {
  label: string;
  help?: ReactNode;
  error?: string | undefined;
  value: string;
  suggestions: readonly Suggestion[];
  placeholder?: string;
  onChange(value: string): void;
  /** Called after `onChange` when the user chooses a suggestion. */
  onPick?(value: string): void;
}

/**
 * A text field that suggests known values and accepts others. It follows the combobox pattern of the ARIA Authoring
 * Practices: Base UI's combobox hides the page from screen readers while its list is open.
 */
export function Combobox(props: ComboboxProps) {
  const { label, help, error, value, suggestions, placeholder, onChange, onPick } = props;
  const listId = useId();
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState<number | null>(null);
  const shown = matching(suggestions, value);
  const isShown = isOpen && suggestions.length > 0;

  const close = () => {
    setOpen(false);
    setActive(null);
  };
  const choose = (chosen: Suggestion | undefined) => {
    if (chosen) {
      onChange(chosen.value);
      onPick?.(chosen.value);
    }
    close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      setOpen(true);
      const next = active === null ? (step > 0 ? 0 : shown.length - 1) : active + step;
      setActive(shown.length === 0 ? null : (next + shown.length) % shown.length);
    } else if (event.key === 'Enter' && isShown && active !== null) choose(shown[active]);
    else if (event.key === 'Escape' && isShown) {
      // A dialog around the field stays open.
      event.stopPropagation();
      close();
    } else return;
    event.preventDefault();
  };

  return (
    <Field label={label} help={help} error={error}>
      {(described) => (
        <div className="combobox">
          <input
            className="input"
            type="text"
            role="combobox"
            autoComplete="off"
            spellCheck={false}
            aria-autocomplete="list"
            aria-expanded={isShown}
            aria-controls={isShown ? listId : undefined}
            aria-activedescendant={isShown && active !== null ? `${listId}-${active}` : undefined}
            placeholder={placeholder}
            value={value}
            onChange={(event) => {
              onChange(event.currentTarget.value);
              setOpen(true);
              setActive(null);
            }}
            onClick={() => setOpen(true)}
            onKeyDown={onKeyDown}
            onBlur={close}
            {...described}
          />
          {isShown && <List id={listId} label={label} shown={shown} active={active} onChoose={choose} />}
        </div>
      )}
    </Field>
  );
}

interface ListProps {
  id: string;
  label: string;
  shown: readonly Suggestion[];
  active: number | null;
  onChoose(suggestion: Suggestion): void;
}

function List({ id, label, shown, active, onChoose }: ListProps) {
  const list = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState<{ side: 'start' | 'end'; width: number }>();
  useLayoutEffect(() => {
    const { left, right } = list.current!.parentElement!.getBoundingClientRect();
    const window = document.documentElement.clientWidth;
    setRoom(left > window - right ? { side: 'end', width: right } : { side: 'start', width: window - left });
  }, []);
  useLayoutEffect(() => {
    if (active !== null) list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={t('{label}, suggestions', { label })}
      tabIndex={-1}
      className={`popup combobox-list ${room?.side ?? 'start'}`}
      style={{ maxInlineSize: Math.min(420, (room?.width ?? 0) - MARGIN_PX) }}
      // The field keeps the focus.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
    >
      {shown.length === 0 && (
        <div role="option" aria-selected="false" aria-disabled="true" tabIndex={-1} className="option muted small">
          {t('No known name matches.')}
        </div>
      )}
      {shown.map((suggestion, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
        <div
          key={suggestion.value}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          className="option"
          onClick={() => onChoose(suggestion)}
        >
          {suggestion.title === undefined ? (
            suggestion.value
          ) : (
            <span className="option-text">
              {suggestion.title}
              {suggestion.detail && <span className="option-detail clamped">{suggestion.detail}</span>}
            </span>
          )}
          {suggestion.aside && <span className="aside">{suggestion.aside}</span>}
        </div>
      ))}
    </div>
  );
}

/** The suggestions that contain the text; all of them if the text is one, so that the user can choose another. */
function matching(suggestions: readonly Suggestion[], text: string): readonly Suggestion[] {
  const wanted = text.toLowerCase();
  const isChosen = suggestions.some(({ value }) => value === text);
  const textOf = ({ value, title = '', detail = '' }: Suggestion) => `${value}\n${title}\n${detail}`.toLowerCase();
  const found = isChosen ? suggestions : suggestions.filter((one) => textOf(one).includes(wanted));
  return found.slice(0, MAX_SHOWN);
}
