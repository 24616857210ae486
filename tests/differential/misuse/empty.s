# mca: triple=x86_64-unknown-linux-gnu cpu=skylake
