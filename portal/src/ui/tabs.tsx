import { type KeyboardEvent, type ReactNode, useId } from 'react';

interface TabsProps {
  label: string;
  value: string;
  tabs: readonly { value: string; label: string }[];
  onChoose(value: string): void;
  /** The actions after the tabs. */
  beside?: ReactNode;
  /** The content of the chosen tab. */
  children: ReactNode;
}

/** The index of the tab that a key leads to, of `count` tabs. */
const TARGETS: Record<string, (index: number, count: number) => number> = {
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowLeft: (index, count) => (index - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/**
 * Follows the tabs pattern of the ARIA Authoring Practices: Base UI's tabs would add 16 KB to a cold dashboard.
 * Arrow keys move the focus, Enter or Space chooses.
 */
export function Tabs({ label, value, tabs, onChoose, beside, children }: TabsProps) {
  const id = useId();
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const buttons: Element[] = [...event.currentTarget.querySelectorAll('[role="tab"]')];
    const index = document.activeElement === null ? -1 : buttons.indexOf(document.activeElement);
    const target = TARGETS[event.key]?.(index, buttons.length);
    if (target === undefined || index === -1) return;
    event.preventDefault();
    (buttons[target] as HTMLElement).focus();
  };
  return (
    <div className="stack">
      <div className="tab-row">
        <div className="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown} tabIndex={-1}>
          {tabs.map((tab) => (
            <button
              key={tab.value}
              type="button"
              role="tab"
              id={`${id}-${tab.value}`}
              className="tab"
              aria-selected={tab.value === value}
              aria-controls={`${id}-panel`}
              tabIndex={tab.value === value ? 0 : -1}
              onClick={() => onChoose(tab.value)}
            >
              {tab.label}
            </button>
          ))}
        </div>
        {beside}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`}>
        {children}
      </div>
    </div>
  );
}
