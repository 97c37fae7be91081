import PharosBench

await BenchProgram.main()
