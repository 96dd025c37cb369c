// What is known of a thing that is pointed at or stepped to.

import type { ComponentChildren } from "preact";

/** A title, and lines of a name and a text. */
export interface Story {
  readonly title: string;
  readonly facts: readonly { readonly name: string; readonly text: string }[];
}

interface Props {
  readonly story: Story | null;
  /** What is said where there is no story. */
  readonly hint: string;
  /** What can be done with what is told of. */
  readonly children?: ComponentChildren;
}

export function ReadOut({ story, hint, children }: Props) {
  return (
    <div class="read-out">
      {story ? (
        <>
          <p class="title">
            {story.title} {children}
          </p>
          <dl>
            {story.facts.map(({ name, text }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </>
      ) : (
        <p class="hint">{hint}</p>
      )}
    </div>
  );
}

/** The same in a sentence, for a screen reader. */
export const inOneLine = ({ title, facts }: Story): string =>
  [title, ...facts.map(({ name, text }) => `${name}: ${text}`)].join(". ");
