/** Whoever reads our output may go away, as a closed terminal or a crashed log collector does. That must not end calls. */
export function surviveLostOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
}
