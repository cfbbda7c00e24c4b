import { Argument, type Command } from "commander";
import type { CommandIo } from "../command-context.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;

export function addCompletionCommand(program: Command, io: CommandIo): void {
  program
    .command("completion")
    .description("print the completion script of a shell, such as: source <(parley completion bash)")
    .addArgument(new Argument("<shell>").choices(SHELLS))
    .action((shell: (typeof SHELLS)[number]) => io.out(SCRIPTS[shell](readWords(program))));
}

interface Words {
  /** What may follow each command, by its words: its commands, the values of its argument, and its options. */
  readonly after: ReadonlyMap<string, readonly string[]>;
  /** The options that are followed by a value. */
  readonly withValue: readonly string[];
}

function readWords(program: Command): Words {
  const after = new Map<string, readonly string[]>();
  const withValue = new Set<string>();
  const visit = (command: Command, path: readonly string[]) => {
    const names = command.commands.map((each) => each.name());
    const values = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
    const options = [...command.options, ...program.options].flatMap(({ long }) => (long ? [long] : []));
    after.set(path.join(" "), [...new Set([...names, ...values, ...options, "--help"])]);
    for (const { long, required } of command.options) if (long && required) withValue.add(long);
    for (const each of command.commands) visit(each, [...path, each.name()]);
  };
  visit(program, []);
  return { after, withValue: [...withValue] };
}

const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], (words: Words) => string>> = {
  bash: ({ after, withValue }) => `_parley() {
  local path="" word previous=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$previous" in
    ${withValue.join(" | ")}) ;;
    *) case "$word" in -*) ;; *) path="\${path:+$path }$word" ;; esac ;;
    esac
    previous="$word"
  done
  local options=""
  case "$path" in
${[...after]
  .map(([path, each]) => `    "${path}"${path === "" ? "" : ` | "${path} "*`}) options="${each.join(" ")}" ;;`)
  .reverse()
  .join("\n")}
  esac
  COMPREPLY=($(compgen -W "$options" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _parley parley
`,
  zsh: (words) => `#compdef parley
autoload -U +X bashcompinit && bashcompinit
${SCRIPTS.bash(words)}`,
  fish: ({ after }) =>
    [...after]
      .flatMap(([path, each]) => {
        const seen = path === "" ? "__fish_use_subcommand" : `__fish_seen_subcommand_from ${path.split(" ").at(-1)}`;
        return each.map((word) =>
          word.startsWith("--")
            ? `complete -c parley -n '${seen}' -l ${word.slice(2)}`
            : `complete -c parley -f -n '${seen}' -a ${word}`,
        );
      })
      .join("\n")
      .concat("\n"),
};
