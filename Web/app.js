document.body.append("Pharos");
