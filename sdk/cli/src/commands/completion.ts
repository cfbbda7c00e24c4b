import { Argument, type Command } from "commander";
import type { CommandIo } from "../command-context.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;

export function addCompletionCommand(program: Command, io: CommandIo): void {
  program
    .command("completion")
    .description("print the completion script of a shell, such as: source <(parley completion bash)")
    .addArgument(new Argument("<shell>").choices(SHELLS))
    .action((shell: (typeof SHELLS)[number]) => io.out(SCRIPTS[shell](wordsByCommand(program))));
}

/** What may follow each command, by its words: its commands and its options. */
function wordsByCommand(program: Command): ReadonlyMap<string, readonly string[]> {
  const all = new Map<string, readonly string[]>();
  const visit = (command: Command, path: readonly string[]) => {
    const options = [...command.options, ...program.options].flatMap(({ long }) => (long ? [long] : []));
    all.set(path.join(" "), [...new Set([...command.commands.map((each) => each.name()), ...options, "--help"])]);
    for (const each of command.commands) visit(each, [...path, each.name()]);
  };
  visit(program, []);
  return all;
}

type Words = ReadonlyMap<string, readonly string[]>;

const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], (words: Words) => string>> = {
  bash: (words) => `_parley() {
  local path="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) path="\${path:+$path }$word" ;; esac
  done
  local options=""
  case "$path" in
${[...words]
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
  fish: (words) =>
    [...words]
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
