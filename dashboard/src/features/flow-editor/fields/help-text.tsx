/** What a schema says about a field: code stands between backticks there. */
export function HelpText({ text }: { readonly text: string }) {
  return text.split("`").map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text have no other name.
      <code key={index} className="rounded bg-sunken px-1 font-mono text-[0.8125rem]">
        {part}
      </code>
    ) : (
      part
    ),
  );
}
