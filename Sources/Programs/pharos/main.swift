import PharosCommands

await PharosProgram.main()
